/**
 * One client's connection: its place in the protocol, its queries, its requests.
 *
 * - Messages are handled first in, first out; an Authenticate under way holds up what follows it.
 *   Mutations run one at a time, beside the queries and actions that come after them.
 * - Every Transition starts at the version where the last one ended, and shows one state across its
 *   queries: nothing here awaits between reading the first query and sending the last.
 */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { type ClientKey, clientKeyOf } from "../limits/client-key.ts";
import type { Occupant } from "./connection-places.ts";
import type { Holding } from "../limits/held-bytes.ts";
import { receivingMs } from "../limits/reading-in-turn.ts";
import { AUTHENTICATION_MS } from "../limits/work-shares.ts";
import { ClientSession } from "./client-session.ts";
import type { ConnectingClient, ConnectionHost } from "./connection-host.ts";
import { AuthenticationUnavailableError, type Identity, type Urgency } from "./executor.ts";
import type { Flushable } from "./flush-schedule.ts";
import { Inbox } from "./inbox.ts";
import {
  encodeAuthError,
  encodeFatalError,
  encodeTransition,
  parseClientMessage,
  ProtocolError,
} from "./messages.ts";
import type {
  AuthenticateMessage,
  ClientMessage,
  ConnectMessage,
  ModifyQuerySetMessage,
  StateVersion,
} from "./messages.ts";
import { PeerSocket } from "./peer-socket.ts";
import { MESSAGE_BYTES_MAX, receiveMessage, requestOf } from "./received-message.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { RequestRunner } from "./request-runner.ts";
import { QuerySet } from "./query-set.ts";
import type { Subscriber } from "./query-store.ts";
import { ZERO_TIMESTAMP } from "./timestamps.ts";
import type { ReactiveLog } from "./reactive-log.ts";

/** Waiting messages beyond this many, or this many characters of them, stop the reading. */
const WAITING_MAX = 256;
const WAITING_SIZE_MAX = 2 * MESSAGE_BYTES_MAX;
const LOG_TEXT_MAX = 300;
/** Without a first message. */
const SILENT_MS_MAX = 5_000;
/** Code and reason; the client knows the reason and answers it with a slower back-off. */
export const COME_LATER = [1013, "TooManyConcurrentRequests: too many connections"] as const;

export class Connection implements Subscriber, Flushable, Occupant {
  readonly #host: ConnectionHost;
  readonly #client: ConnectingClient;
  readonly #log: ReactiveLog;
  readonly #peer: PeerSocket;
  #version: StateVersion = { querySet: 0, identity: 0, ts: ZERO_TIMESTAMP };
  #identity: Identity | null = null;
  readonly #session = new ClientSession();
  readonly #queries: QuerySet;
  readonly #inbox: Inbox;
  #authenticating = false;
  readonly #requests: RequestRunner;
  /** A mutation was answered and the Transition that confirms it could not be sent yet. */
  #owesTransition = false;
  #waitsForDrain = false;
  /** Counts the answers that are kept on its account. */
  readonly #kept: Holding;
  #keptBytes = 0;
  /** Whose rest the reading waits for. */
  #readingResting: ClientKey | undefined;
  /** Whose rest a flush waits for. */
  #flushResting: ClientKey | undefined;
  #ended = false;
  #hasSpoken = false;
  #lastMessageMs: number;
  readonly #departure = new AbortController();

  constructor(host: ConnectionHost, ws: WebSocket, socket: Socket, client: ConnectingClient) {
    this.#host = host;
    this.#client = client;
    this.#lastMessageMs = host.clock();
    this.#log = host.log.child({ connection: randomUUID(), address: client.address });
    this.#queries = new QuerySet(host.queries, this);
    this.#inbox = new Inbox(host.shares, {
      client: () => this.#key,
      work: this.#client.work,
      isReady: () => !this.#authenticating && !this.#ended && !this.#peer.isCongested,
      take: (message) => this.#take(message),
      onWorked: () => this.#regulate(),
    });
    const { address, joinsChunks } = client;
    const holding = host.held.open(clientKeyOf(undefined, address), () => {
      this.#log.info({}, "a client that holds too much memory was cut off");
      this.terminate();
    });
    this.#kept = host.kept.open(clientKeyOf(undefined, address), () => {
      this.#log.info({}, "a client whose queries have too large answers was cut off");
      // Later: it is counted while its queries are being changed.
      setImmediate(() => this.terminate());
    });
    this.#peer = new PeerSocket(
      ws,
      socket,
      { clock: host.clock, joinsChunks, holding },
      {
        onBytes: (length) => this.#onBytes(length),
        onText: (data) => this.#receive(data),
        onBinary: () => this.#fail("Binary frames are not part of the protocol."),
        onDrain: () => this.#onDrain(),
        onClosed: () => {
          this.#end();
          client.onClosed();
        },
      },
    );
    this.#requests = new RequestRunner(host, this.#log, {
      client: () => this.#key,
      work: this.#client.work,
      send: (text) => this.#peer.send(text),
      isCurrent: (identity) => this.#isCurrent(identity),
      refuseExpired: () => this.#refuseExpired(),
      confirm: () => {
        this.#owesTransition = true;
        this.flush();
      },
      onProgress: () => this.#takeMessages(),
      disconnect: (reason) => this.close(1011, reason),
    });
  }

  /** The sign-in session that the connection acts for. */
  get sessionId(): string | undefined {
    return this.#identity?.sessionId;
  }

  get address(): string {
    return this.#client.address;
  }

  get userId(): string | undefined {
    return this.#identity?.subject;
  }

  /** Whether a message has come. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  get lastMessageMs(): number {
    return this.#lastMessageMs;
  }

  /** Whose allowance the connection's work counts against. */
  get #key(): ClientKey {
    return clientKeyOf(this.#identity?.subject, this.#client.address);
  }

  /** Something that one of its queries shows has changed. */
  queueFlush(urgency: Urgency): void {
    this.#host.schedule.add(this, urgency);
  }

  onKept(bytesDifference: number): void {
    this.#keptBytes += bytesDifference;
    if (!this.#ended) this.#kept.set(this.#keptBytes);
  }

  /** Brings all queries up to the present state, in one Transition. */
  flush(): void {
    if (this.#ended) return;
    if (this.#peer.isCongested) {
      this.#waitsForDrain = true;
      return;
    }
    // The new identity, once it is known, brings a Transition of its own.
    if (this.#authenticating && !this.#isCurrent(this.#identity)) return;
    const force = this.#owesTransition;
    const client = this.#key;
    if (!force && this.#host.shares.isResting(client)) {
      if (this.#flushResting !== undefined) return;
      this.#flushResting = client;
      this.#host.shares.whenRested(client, this.#onFlushRested, this.#client.work);
      return;
    }
    this.#host.shares.run(client, () => this.#transition({}, [], force), this.#client.work);
  }

  readonly #onFlushRested = (): void => {
    this.#flushResting = undefined;
    this.flush();
  };

  /** Call every few seconds. */
  keepAlive(): void {
    if (this.#ended) return;
    // The official client says Connect as soon as it can.
    if (!this.#hasSpoken && this.#host.clock() - this.#lastMessageMs > SILENT_MS_MAX) {
      this.terminate();
      return;
    }
    this.#peer.keepAlive();
    if (!this.#authenticating) this.#requireCurrentIdentity();
  }

  /** Ends the connection because its sign-in is over; the client asks for a new token. */
  endSession(): void {
    this.#refuseIdentity("The session has ended.", this.#version.identity, false);
  }

  /** Lets another client in. */
  giveUpPlace(): void {
    this.close(...COME_LATER);
  }

  close(code: number, reason: string): void {
    this.#end();
    this.#peer.close(code, reason);
  }

  terminate(): void {
    this.#end();
    this.#peer.terminate();
  }

  /** Bytes count as they come, and nothing is read from a client at rest, in the middle of a message too. */
  #onBytes(length: number): void {
    if (this.#ended) return;
    const client = this.#key;
    const { shares } = this.#host;
    shares.charge(client, receivingMs(length), this.#client.work);
    if (this.#readingResting !== undefined || !shares.isResting(client)) return;
    this.#readingResting = client;
    shares.whenRested(client, this.#onReadingRested, this.#client.work);
    this.#regulate();
  }

  readonly #onReadingRested = (): void => {
    this.#readingResting = undefined;
    this.#regulate();
  };

  #receive(data: Buffer): void {
    if (this.#ended) return;
    this.#hasSpoken = true;
    this.#lastMessageMs = this.#host.clock();
    const { executor } = this.#host;
    const message = receiveMessage(data, (kind, path) =>
      executor.lookUp(kind, path, this.#identity),
    );
    this.#inbox.push(message);
    this.#takeMessages();
  }

  #takeMessages(): void {
    if (!this.#ended) this.#inbox.work();
  }

  /** Reads nothing more while too much waits, or anything does that has to wait for long. */
  #regulate(): void {
    const waiting = this.#inbox.length + this.#requests.waiting;
    const size = this.#inbox.size + this.#requests.size;
    const isResting = this.#readingResting !== undefined || this.#inbox.isResting;
    this.#peer.setWaiting(isResting || waiting > WAITING_MAX || size > WAITING_SIZE_MAX, size);
  }

  #take({ text, isWhole }: ReceivedMessage): void {
    try {
      if (isWhole) this.#handle(parseClientMessage(text), text.length);
      else this.#refuseLarge(text);
    } catch (error) {
      this.#failOn(error);
    }
  }

  /** A request that is too large gets an answer: closing would only make the client repeat it. */
  #refuseLarge(beginning: string): void {
    const request = requestOf(beginning);
    if (request === undefined) {
      throw new ProtocolError(`A message may have at most ${MESSAGE_BYTES_MAX} bytes.`);
    }
    this.#session.requireId(request.type);
    this.#requests.refuseLarge(request, this.#identity);
  }

  /** @param size in characters */
  #handle(message: ClientMessage, size: number): void {
    if (message.type === "Connect") {
      this.#connect(message);
      return;
    }
    const clientSessionId = this.#session.requireId(message.type);
    switch (message.type) {
      case "Authenticate":
        this.#authenticate(message);
        break;
      case "ModifyQuerySet":
        this.#modifyQuerySet(message);
        break;
      case "Mutation":
        this.#requests.addMutation({
          message,
          size,
          identity: this.#identity,
          clientSessionId,
        });
        break;
      case "Action":
        if (this.#requireCurrentIdentity()) {
          void this.#requests.runAction(message, size, {
            identity: this.#identity,
            client: this.#key,
            signal: this.#departure.signal,
          });
        }
        break;
      case "Event":
        break;
    }
  }

  #connect(message: ConnectMessage): void {
    const { clock, timestamps } = this.#host;
    const observed = this.#session.begin(message, clock());
    if (observed === 0n) return;
    timestamps.advance();
    if (observed > timestamps.latest) {
      this.#log.warn({ observed: String(observed) }, "a client has seen a time to come");
      this.close(1011, "InternalServerError: the client has seen a later state");
    }
  }

  #authenticate(message: AuthenticateMessage): void {
    const { baseVersion } = message;
    if (baseVersion !== this.#version.identity) {
      throw new ProtocolError(
        `Authenticate is based on identity version ${baseVersion}, which is ${this.#version.identity}.`,
      );
    }
    switch (message.tokenType) {
      case "None":
        this.#adopt(null);
        break;
      case "Admin":
        this.#refuseIdentity("There are no administration keys here.", baseVersion, true);
        break;
      case "User":
        this.#authenticating = true;
        this.#host.shares.charge(this.#key, AUTHENTICATION_MS, this.#client.work);
        void this.#verify(message.value, baseVersion);
        break;
    }
  }

  async #verify(token: string, baseVersion: number): Promise<void> {
    let identity: Identity | undefined;
    let refusal = "The token is no longer valid.";
    try {
      identity = await this.#host.executor.authenticate(token);
    } catch (error) {
      if (error instanceof AuthenticationUnavailableError) {
        this.#host.repeats.warn({ err: error }, "sign-in cannot be checked");
        // No refusal, which would sign the user out: the client connects again and asks again.
        this.close(1011, "InternalServerError: sign-in cannot be checked");
        return;
      }
      this.#log.info({ err: error }, "a token was refused");
      refusal = error instanceof Error ? error.message : "The token is not valid.";
    }
    this.#authenticating = false;
    if (this.#ended) return;
    try {
      if (identity !== undefined && this.#isCurrent(identity)) {
        const adopted = identity;
        const client = clientKeyOf(adopted.subject, this.#client.address);
        this.#host.shares.run(client, () => this.#adopt(adopted), this.#client.work);
      } else this.#refuseIdentity(refusal, baseVersion, true);
    } catch (error) {
      this.#failOn(error);
    }
    this.#takeMessages();
  }

  #adopt(identity: Identity | null): void {
    this.#identity = identity;
    this.#queries.changeIdentity(identity);
    this.#transition({ identity: this.#version.identity + 1 }, [], true);
  }

  #modifyQuerySet(message: ModifyQuerySetMessage): void {
    if (message.baseVersion !== this.#version.querySet) {
      throw new ProtocolError(
        `ModifyQuerySet is based on version ${message.baseVersion}, which is ${this.#version.querySet}.`,
      );
    }
    if (message.newVersion <= message.baseVersion) {
      throw new ProtocolError("The new version of a query set must be above its base version.");
    }
    if (!this.#requireCurrentIdentity()) return;
    const modifications = this.#queries.modify(message.modifications);
    this.#transition({ querySet: message.newVersion }, modifications, true);
  }

  /** @param force sends the Transition even where no query changed */
  #transition(
    change: { querySet?: number; identity?: number },
    modifications: string[],
    force: boolean,
  ): void {
    if (!this.#requireCurrentIdentity()) return;
    const isComplete = this.#queries.update(this.#identity, modifications);
    this.#host.schedule.remove(this);
    if (!isComplete) this.queueFlush("conflated");
    if (!force && modifications.length === 0) return;
    this.#owesTransition = false;
    const start = this.#version;
    this.#version = { ...start, ...change, ts: this.#host.timestamps.encoded };
    this.#peer.sendTransition(
      encodeTransition(start, this.#version, modifications, {
        clientClockSkewMs: this.#session.clockSkewMs,
        serverNowMs: this.#host.serverTime(),
      }),
    );
  }

  #isCurrent(identity: Identity | null): boolean {
    if (identity === null) return true;
    return this.#host.clock() < identity.expiresAtMs && this.#host.executor.isLive(identity);
  }

  /** False where the identity is over; the connection then is too. */
  #requireCurrentIdentity(): boolean {
    if (this.#ended) return false;
    if (this.#isCurrent(this.#identity)) return true;
    this.#refuseExpired();
    return false;
  }

  #refuseExpired(): void {
    this.#refuseIdentity("The token has expired.", this.#version.identity, false);
  }

  /** @param attempted whether this answers an Authenticate, rather than an expiry found later */
  #refuseIdentity(error: string, baseVersion: number, attempted: boolean): void {
    if (this.#ended) return;
    this.#peer.send(encodeAuthError(error, baseVersion, attempted));
    this.close(1000, error);
  }

  #failOn(error: unknown): void {
    if (error instanceof ProtocolError) {
      this.#fail(error.message);
      return;
    }
    this.#log.error({ err: error }, "a message could not be handled");
    this.close(1011, "InternalServerError");
  }

  /** For a broken protocol only: the official client never connects again after this. */
  #fail(error: string): void {
    if (this.#ended) return;
    this.#log.info({ error: error.slice(0, LOG_TEXT_MAX) }, "a client broke the protocol");
    this.#peer.send(encodeFatalError(error));
    this.close(1002, error);
  }

  #onDrain(): void {
    if (this.#waitsForDrain) {
      this.#waitsForDrain = false;
      this.queueFlush("now");
    }
    this.#takeMessages();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#departure.abort();
    if (this.#flushResting !== undefined) {
      this.#host.shares.forget(this.#flushResting, this.#onFlushRested);
    }
    if (this.#readingResting !== undefined) {
      this.#host.shares.forget(this.#readingResting, this.#onReadingRested);
    }
    this.#inbox.close();
    this.#requests.end();
    this.#host.schedule.remove(this);
    this.#queries.clear();
    this.#kept.close();
  }
}
