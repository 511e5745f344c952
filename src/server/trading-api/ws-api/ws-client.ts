/**
 * One connection of the WebSocket API: calls, the session of a key that has logged on, and user
 * data subscriptions. Everything that a key has opened ends when the key is revoked.
 */
import type { ApiKeyGrant } from "../../api-keys/key-gate.ts";
import { whenSettled } from "../../exchange/when-settled.ts";
import {
  keyRefused,
  sessionNeeded,
  tooManySubscriptions,
  unknownMethod,
  wrongSignatureKind,
} from "../api-error.ts";
import { type Calls, type Signer, signerOf, type UsedWeight } from "../calls.ts";
import type { Caller, Endpoint } from "../endpoint.ts";
import { ConnectionCutError } from "../fault-lab/connection-cut.ts";
import type { FaultyTraffic } from "../fault-lab/faulty-traffic.ts";
import type { Pair } from "../parameters.ts";
import { endOfWindow, sortedPayload } from "../signed-request.ts";
import { type ClientSocket, POLICY, type SocketUser } from "../sockets/client-socket.ts";
import { DelayedMessages } from "../sockets/delayed-messages.ts";
import type { UserDataEventName } from "../user-data/user-data-events.ts";
import type { UserDataFeeds } from "../user-data/user-data-feeds.ts";
import { type ConnectionMethod, isConnectionMethod } from "./connection-methods.ts";
import { RequestOrder, type RequestTurn } from "./request-order.ts";
import type { UserPlaces } from "./user-places.ts";
import { endpointOfMethod } from "./ws-methods.ts";
import {
  type AnswerMetadata,
  encodeAnswer,
  encodeRefusal,
  parseWsRequest,
  type WsRequest,
  WsRequestError,
} from "./ws-request.ts";

/** Rate of requests. Their weight limits them further; this limit bounds the queue. */
export const WS_REQUEST_RATE = { capacity: 400, windowMs: 4_000 } as const;
/** The most unanswered requests of a connection. */
const UNANSWERED_MAX = 128;
const REQUEST_LENGTH_MAX = 8_192;
/** The most user data subscriptions of one connection. */
const SUBSCRIPTIONS_MAX = 100;

/** Parameters that every request may have: signed like others, but not passed to the call. */
const COMMON_PARAMETERS: ReadonlySet<string> = new Set(["apiKey", "returnRateLimits"]);

/** The security of a session and of a subscription. */
const USER_DATA_CALL: Pick<Endpoint, "method" | "security"> = {
  method: "GET",
  security: "userData",
};

/** The signer of a request, once verified. */
interface Verified {
  signer: Signer | undefined;
}

interface Progress {
  readonly turn: RequestTurn;
  readonly verified: Verified;
}

interface Session {
  readonly grant: ApiKeyGrant;
  readonly apiKey: string;
  readonly authorizedSince: number;
}

interface Subscription {
  readonly keyId: string;
  /** Whether it ends with the session. */
  readonly isOfSession: boolean;
  readonly end: () => void;
}

export interface WsClientOptions {
  readonly calls: Calls;
  readonly feeds: UserDataFeeds;
  readonly places: UserPlaces;
}

export class WsClient implements SocketUser {
  readonly #socket: ClientSocket;
  readonly #calls: Calls;
  readonly #feeds: UserDataFeeds;
  readonly #places: UserPlaces;
  /** Ids of users whose keys have signed on the connection. */
  readonly #users = new Set<string>();
  readonly #connectedSince: number;
  readonly #unsubscribe: () => void;
  readonly #subscriptions = new Map<number, Subscription>();
  #subscriptionCount = 0;
  #session: Session | undefined;
  #underWay = 0;
  readonly #order = new RequestOrder();

  constructor(socket: ClientSocket, { calls, feeds, places }: WsClientOptions) {
    this.#socket = socket;
    this.#calls = calls;
    this.#feeds = feeds;
    this.#places = places;
    const { apiKeys, views } = calls.services;
    this.#connectedSince = views.nowMs();
    this.#unsubscribe = apiKeys.onStopped((keyId) => this.#onKeyStopped(keyId));
  }

  onText(text: string): void {
    if (text.length > REQUEST_LENGTH_MAX || this.#underWay >= UNANSWERED_MAX) {
      this.#socket.close(POLICY, "The request is too long, or too many wait for their answers.");
      return;
    }
    this.#underWay += 1;
    this.#socket.addWaiting(text.length);
    void this.#onRequest(text, this.#order.next());
  }

  onClosing(): void {
    this.#unsubscribe();
    this.#feeds.endAll(Array.from(this.#subscriptions.values(), ({ end }) => end));
    this.#subscriptions.clear();
    for (const userId of this.#users) this.#places.leave(userId, this);
    this.#users.clear();
    this.#session = undefined;
  }

  onShutdown(event: string): void {
    this.#socket.send(`{"event":${event}}`);
  }

  async #onRequest(text: string, turn: RequestTurn): Promise<void> {
    const { address } = this.#socket;
    const verified: Verified = { signer: undefined };
    let asked: WsRequest | undefined;
    let traffic: FaultyTraffic | undefined;
    try {
      const reading = this.#read(text);
      asked = reading instanceof Promise ? await reading : reading;
      traffic = this.#trafficOf(asked);
      this.#calls.arrived(this.#socket);
      const result = await this.#execute(asked, traffic, { turn, verified });
      const answer = encodeAnswer(asked.id, result, this.#metadataOf(asked, traffic, verified));
      this.#calls.answered(address, answer.length);
      this.#socket.send(answer);
    } catch (error) {
      if (error instanceof ConnectionCutError) {
        this.#socket.terminate();
        return;
      }
      const isUnreadable = error instanceof WsRequestError;
      const id = isUnreadable ? error.id : (asked?.id ?? null);
      const refusal = isUnreadable
        ? error.refusal
        : this.#calls.errorOf(error, asked?.method ?? "");
      this.#socket.send(encodeRefusal(id, refusal, this.#metadataOf(asked, traffic, verified)));
      // Refusing each of its requests would cost about as much as answering it.
      if (this.#calls.isShutOut(this.#socket, verified.signer)) {
        this.#socket.close(POLICY, "Too much request weight.");
      }
    } finally {
      turn.begin();
      this.#underWay -= 1;
      this.#socket.addWaiting(-text.length);
    }
  }

  /** Parsing costs the client a turn like any other work, and an invalid request weighs as much. */
  #read(text: string): WsRequest | Promise<WsRequest> {
    return this.#socket.inTurn(() => {
      try {
        return parseWsRequest(text);
      } catch (error) {
        this.#calls.arrived(this.#socket);
        throw error;
      }
    });
  }

  /** The faults of the key that the request, its session or the connection names. */
  #trafficOf({ pairs }: WsRequest): FaultyTraffic | undefined {
    const given = pairs.find(([name]) => name === "apiKey")?.[1];
    this.#socket.apiKey = given ?? this.#session?.apiKey ?? this.#socket.apiKey;
    return this.#calls.lab.trafficOf(this.#socket.apiKey);
  }

  #execute(
    asked: WsRequest,
    traffic: FaultyTraffic | undefined,
    progress: Progress,
  ): Promise<unknown> {
    if (traffic === undefined) return this.#answer(asked, traffic, progress);
    const method = endpointOfMethod(asked.method)?.method ?? "GET";
    return traffic.through(method !== "GET", () => this.#answer(asked, traffic, progress));
  }

  #metadataOf(
    asked: WsRequest | undefined,
    traffic: FaultyTraffic | undefined,
    verified: Verified,
  ): AnswerMetadata {
    return { weight: this.#weight(asked, verified), faults: traffic?.description };
  }

  /** Undefined if the request wants no rate limits in its answer. */
  #weight(asked: WsRequest | undefined, { signer }: Verified): UsedWeight | undefined {
    const isUnwanted = asked?.pairs.some(
      ([name, text]) => name === "returnRateLimits" && text === "false",
    );
    if (isUnwanted === true) return undefined;
    return this.#calls.weightOf(this.#socket, signer);
  }

  async #answer(
    { method, pairs }: WsRequest,
    traffic: FaultyTraffic | undefined,
    progress: Progress,
  ): Promise<unknown> {
    const { isNext } = progress.turn;
    if (isNext !== undefined) await isNext;
    if (isConnectionMethod(method)) return this.#answerOfConnection(method, pairs, traffic);
    const call = endpointOfMethod(method);
    if (call === undefined) throw unknownMethod();
    return await this.#order.answer(call, progress.turn, () =>
      this.#call(call, pairs, traffic, progress),
    );
  }

  async #answerOfConnection(
    method: ConnectionMethod,
    pairs: readonly Pair[],
    traffic: FaultyTraffic | undefined,
  ): Promise<unknown> {
    switch (method) {
      case "session.logon":
        return this.#logOn(pairs, traffic);
      case "session.status":
        return this.#status();
      case "session.subscriptions":
        return [...this.#subscriptions.keys()].map((subscriptionId) => ({ subscriptionId }));
      case "session.logout":
        this.#session = undefined;
        this.#terminate(({ isOfSession }) => isOfSession);
        return this.#status();
      case "userDataStream.subscribe": {
        const session = this.#session;
        if (session === undefined) throw sessionNeeded();
        return this.#subscribe(session, true);
      }
      case "userDataStream.subscribe.signature": {
        return this.#subscribe(await this.#signed(USER_DATA_CALL, pairs, traffic), false);
      }
      case "userDataStream.unsubscribe":
        return this.#unsubscribeFrom(pairs);
      default:
        return method satisfies never;
    }
  }

  async #call(
    call: Endpoint,
    pairs: readonly Pair[],
    traffic: FaultyTraffic | undefined,
    { turn, verified }: Progress,
  ): Promise<unknown> {
    const { security } = call;
    const finding = security === "none" ? undefined : this.#callerOf(call, pairs, traffic);
    const caller = finding instanceof Promise ? await finding : finding;
    verified.signer = signerOf(call, caller);
    const ofCall = pairs.filter(([name]) => !COMMON_PARAMETERS.has(name));
    const { address, apiKey, isOfPage } = this.#socket;
    const sender = { address, apiKey, isOfPage };
    const arrived = { ...sender, pairs: ofCall, caller, traffic, onBegun: turn.begin };
    return this.#calls.answer(call, arrived);
  }

  /** Authenticated by the request's own signature or, without one, by the session. */
  #callerOf(
    call: Endpoint,
    pairs: readonly Pair[],
    traffic: FaultyTraffic | undefined,
  ): Caller | Promise<Caller> {
    const session = this.#session;
    const isSigned = pairs.some(([name]) => name === "signature" || name === "apiKey");
    if (session === undefined || isSigned) {
      return this.#signed(call, pairs, traffic).then(({ caller }) => caller);
    }
    const { apiKey } = session;
    const found = this.#calls.keyOf({ call, apiKey, address: this.#socket.address });
    const callerWith = (grant: ApiKeyGrant): Caller => {
      const nowMs = this.#calls.services.views.nowMs();
      return { ...grant, validUntilMs: endOfWindow(pairs, nowMs, traffic?.clockSkewMs) };
    };
    return found instanceof Promise ? found.then(callerWith) : callerWith(found);
  }

  async #signed(
    call: Pick<Endpoint, "method" | "security">,
    pairs: readonly Pair[],
    traffic: FaultyTraffic | undefined,
  ) {
    const apiKey = pairs.find(([name]) => name === "apiKey")?.[1];
    const request = { call, apiKey, address: this.#socket.address };
    const found = this.#calls.keyOf(request);
    const grant = found instanceof Promise ? await found : found;
    const payload = sortedPayload(pairs);
    const signed = { ...request, payload, clockSkewMs: traffic?.clockSkewMs };
    const verifying = this.#calls.callerOf(signed, grant, pairs);
    const caller = verifying instanceof Promise ? await verifying : verifying;
    // Without a signature there is no proof that the user has opened the connection.
    if (caller.isUnsigned !== true) this.#countConnection(grant);
    return { apiKey: apiKey ?? "", caller, grant };
  }

  /** @throws ApiError if the user has too many connections */
  #countConnection(grant: ApiKeyGrant): void {
    const { userId } = grant;
    // A connection that has closed in the meantime would never free its slot; its request is executed
    // nevertheless.
    if (!this.#socket.isOpen) return;
    this.#places.enter(grant, this);
    this.#users.add(userId);
    this.#socket.userId = userId;
  }

  /** Only Ed25519 keys may log on, as at Binance: an HMAC key has to sign every request. */
  async #logOn(pairs: readonly Pair[], traffic: FaultyTraffic | undefined) {
    const { apiKey, grant } = await this.#signed(USER_DATA_CALL, pairs, traffic);
    if (grant.kind !== "ed25519") throw wrongSignatureKind();
    this.#session = { apiKey, grant, authorizedSince: this.#calls.services.views.nowMs() };
    return this.#status();
  }

  #status() {
    const session = this.#session;
    return {
      apiKey: session?.apiKey ?? null,
      authorizedSince: session?.authorizedSince ?? null,
      connectedSince: this.#connectedSince,
      returnRateLimits: true,
      serverTime: this.#calls.services.views.nowMs(),
      userDataStream: this.#subscriptions.size > 0,
    };
  }

  async #subscribe({ apiKey, grant }: Pick<Session, "apiKey" | "grant">, isOfSession: boolean) {
    const { account, keyId } = grant;
    // While the views include only part of a command's events, all of its events would be sent
    // again.
    await whenSettled(this.#calls.services.exchange);
    if (!this.#calls.services.apiKeys.isLive(keyId) || !this.#socket.isOpen) throw keyRefused();
    if (this.#subscriptions.size >= SUBSCRIPTIONS_MAX) {
      throw tooManySubscriptions(SUBSCRIPTIONS_MAX);
    }
    const leave = this.#places.subscribe(grant);
    const subscriptionId = this.#subscriptionCount++;
    const messages = new DelayedMessages(this.#socket);
    const unfollow = this.#feeds.follow(account, (event, earlier) => {
      const delayMs = this.#calls.lab.trafficOf(apiKey)?.latencyMs() ?? 0;
      messages.send(`{"subscriptionId":${subscriptionId},"event":${event}}`, delayMs, earlier);
    });
    const end = () => {
      leave();
      unfollow();
      messages.clear();
    };
    this.#subscriptions.set(subscriptionId, { keyId, isOfSession, end });
    return { subscriptionId };
  }

  #unsubscribeFrom(pairs: readonly Pair[]) {
    const given = pairs.find(([name]) => name === "subscriptionId")?.[1];
    this.#terminate((_, subscriptionId) => given === undefined || String(subscriptionId) === given);
    return {};
  }

  #onKeyStopped(stoppedId: string): void {
    if (this.#session?.grant.keyId === stoppedId) this.#session = undefined;
    this.#terminate(({ keyId }) => keyId === stoppedId);
  }

  /** Ends subscriptions, and reports their end. */
  #terminate(isOver: (subscription: Subscription, subscriptionId: number) => boolean): void {
    for (const [subscriptionId, subscription] of this.#subscriptions) {
      if (!isOver(subscription, subscriptionId)) continue;
      subscription.end();
      this.#subscriptions.delete(subscriptionId);
      const e: UserDataEventName = "eventStreamTerminated";
      const event = { e, E: this.#calls.services.views.nowMs() };
      this.#socket.send(JSON.stringify({ subscriptionId, event }));
    }
  }
}
