/**
 * One client's connection: its place in the protocol, its queries, its requests.
 *
 * - Messages are handled first in, first out; an Authenticate under way holds up what follows it.
 *   Mutations run one at a time, beside the queries and actions that come after them.
 * - Every Transition starts at the version where the last one ended, and shows one state across all
 *   queries: nothing here awaits between reading the first query and sending the last.
 */
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { BadArgumentsError, canonicalPath, decodeArguments } from "./encoding.ts";
import type { Executor, Identity, Urgency } from "./executor.ts";
import type { Flushable, FlushSchedule } from "./flush-schedule.ts";
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
import type { MutationRunner } from "./mutation-runner.ts";
import { PeerSocket } from "./peer-socket.ts";
import { RequestRunner } from "./request-runner.ts";
import type { QueryStore, Subscriber, Subscription } from "./query-store.ts";
import { decodeTimestamp, ZERO_TIMESTAMP } from "./timestamps.ts";
import type { Timestamps } from "./timestamps.ts";
import type { ReactiveLog } from "./reactive-log.ts";

export const MESSAGE_BYTES_MAX = 1_048_576;
const QUERIES_MAX = 1_000;
/** Waiting messages beyond this stop the reading. */
const WAITING_MAX = 256;
const LOG_TEXT_MAX = 300;

/** What all connections of a server share. */
export interface ConnectionHost {
  readonly executor: Executor;
  readonly log: ReactiveLog;
  readonly clock: () => number;
  readonly timestamps: Timestamps;
  readonly queries: QueryStore;
  readonly mutations: MutationRunner;
  readonly schedule: FlushSchedule;
  onClosed(connection: Connection): void;
}

export class Connection implements Subscriber, Flushable {
  readonly address: string;
  readonly #host: ConnectionHost;
  readonly #log: ReactiveLog;
  readonly #peer: PeerSocket;
  #version: StateVersion = { querySet: 0, identity: 0, ts: ZERO_TIMESTAMP };
  #identity: Identity | null = null;
  /** Drawn by the client once per page; undefined before Connect. */
  #clientSessionId: string | undefined;
  #clientClockSkewMs: number | undefined;
  /** Null stands for a query that was refused when it was added. */
  #subscriptions = new Map<number, Subscription | null>();
  #inbox: ClientMessage[] = [];
  #authenticating = false;
  readonly #requests: RequestRunner;
  /** A mutation was answered and the Transition that confirms it could not be sent yet. */
  #owesTransition = false;
  #waitsForDrain = false;
  #ended = false;

  constructor(
    host: ConnectionHost,
    ws: WebSocket,
    socket: Duplex,
    client: { readonly address: string; readonly joinsChunks: boolean },
  ) {
    this.#host = host;
    this.address = client.address;
    this.#log = host.log.child({ connection: randomUUID(), address: client.address });
    this.#peer = new PeerSocket(ws, socket, host.clock, client.joinsChunks, {
      onText: (text) => this.#receive(text),
      onBinary: () => this.#fail("Binary frames are not part of the protocol."),
      onDrain: () => this.#onDrain(),
      onClosed: () => this.#onClosed(),
    });
    this.#requests = new RequestRunner(host, this.#log, {
      send: (text) => this.#peer.send(text),
      isCurrent: (identity) => this.#isCurrent(identity),
      refuseExpired: () => this.#refuseExpired(),
      confirm: () => {
        this.#owesTransition = true;
        this.flush();
      },
      onProgress: () => this.#work(),
      disconnect: (reason) => this.close(1011, reason),
    });
  }

  /** The sign-in session that the connection acts for. */
  get sessionId(): string | undefined {
    return this.#identity?.sessionId;
  }

  /** Something that one of its queries shows has changed. */
  queueFlush(urgency: Urgency): void {
    this.#host.schedule.add(this, urgency);
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
    this.#transition({}, [], force);
  }

  /** Call every few seconds. */
  keepAlive(): void {
    if (this.#ended) return;
    this.#peer.keepAlive();
    if (!this.#authenticating) this.#requireCurrentIdentity();
  }

  /** Ends the connection because its sign-in is over; the client asks for a new token. */
  endSession(): void {
    this.#refuseIdentity("The session has ended.", this.#version.identity, false);
  }

  close(code: number, reason: string): void {
    this.#end();
    this.#peer.close(code, reason);
  }

  terminate(): void {
    this.#end();
    this.#peer.terminate();
  }

  #receive(text: string): void {
    if (this.#ended) return;
    try {
      const message = parseClientMessage(text);
      if (text.length > MESSAGE_BYTES_MAX && !this.#refuseLarge(message)) {
        throw new ProtocolError(`A message may have at most ${MESSAGE_BYTES_MAX} bytes.`);
      }
      if (text.length <= MESSAGE_BYTES_MAX) this.#inbox.push(message);
    } catch (error) {
      this.#failOn(error);
      return;
    }
    this.#work();
  }

  /** A request that is too large gets an answer: closing would only make the client repeat it. */
  #refuseLarge(message: ClientMessage): boolean {
    if (message.type !== "Mutation" && message.type !== "Action") return false;
    this.#requests.respond(`${message.type}Response`, message.requestId, {
      status: "error",
      message: `The arguments are too large: a request may have at most ${MESSAGE_BYTES_MAX} bytes.`,
    });
    return true;
  }

  #work(): void {
    try {
      while (!this.#authenticating && !this.#ended) {
        const message = this.#inbox.shift();
        if (message === undefined) break;
        this.#handle(message);
      }
    } catch (error) {
      this.#failOn(error);
    }
    this.#peer.setBusy(this.#inbox.length + this.#requests.waiting > WAITING_MAX);
  }

  #handle(message: ClientMessage): void {
    if (message.type === "Connect") {
      this.#connect(message);
      return;
    }
    if (this.#clientSessionId === undefined) {
      throw new ProtocolError(`${message.type} came before Connect.`);
    }
    switch (message.type) {
      case "Authenticate":
        this.#authenticate(message);
        break;
      case "ModifyQuerySet":
        this.#modifyQuerySet(message);
        break;
      case "Mutation":
        this.#requests.addMutation(message, this.#identity, this.#clientSessionId);
        break;
      case "Action":
        if (this.#requireCurrentIdentity()) void this.#requests.runAction(message, this.#identity);
        break;
      case "Event":
        break;
    }
  }

  #connect(message: ConnectMessage): void {
    if (this.#clientSessionId !== undefined) throw new ProtocolError("Connect came twice.");
    this.#clientSessionId = message.sessionId;
    if (typeof message.clientTs === "number") {
      // A client that seems ahead counts as exact: its estimate includes how long its page took to
      // load, and a token that is renewed a little early does no harm where a late one does.
      const skewMs = Math.round(message.clientTs - this.#host.clock());
      this.#clientClockSkewMs = Math.min(0, skewMs);
    }
    const { maxObservedTimestamp } = message;
    if (maxObservedTimestamp === undefined || maxObservedTimestamp === null) return;
    const observed = decodeTimestamp(maxObservedTimestamp);
    if (observed === undefined) {
      throw new ProtocolError("The Connect message is wrong: field maxObservedTimestamp.");
    }
    this.#host.timestamps.advance();
    if (observed > this.#host.timestamps.latest) {
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
      this.#log.info({ err: error }, "a token was refused");
      refusal = error instanceof Error ? error.message : "The token is not valid.";
    }
    this.#authenticating = false;
    if (this.#ended) return;
    try {
      if (identity !== undefined && this.#isCurrent(identity)) this.#adopt(identity);
      else this.#refuseIdentity(refusal, baseVersion, true);
    } catch (error) {
      this.#failOn(error);
    }
    this.#work();
  }

  #adopt(identity: Identity | null): void {
    this.#identity = identity;
    for (const subscription of this.#subscriptions.values()) {
      if (subscription !== null) this.#host.queries.changeIdentity(subscription, identity);
    }
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
    const modifications: string[] = [];
    for (const modification of message.modifications) {
      const { queryId } = modification;
      if (modification.type === "Add") {
        const failure = this.#addQuery(queryId, modification.udfPath, modification.args);
        if (failure !== undefined) modifications.push(failure);
      } else {
        const subscription = this.#subscriptions.get(queryId);
        if (subscription) this.#host.queries.unsubscribe(subscription);
        this.#subscriptions.delete(queryId);
        modifications.push(`{"type":"QueryRemoved","queryId":${queryId}}`);
      }
    }
    this.#transition({ querySet: message.newVersion }, modifications, true);
  }

  /** The modification that reports a query whose arguments cannot be read. */
  #addQuery(queryId: number, udfPath: string, args: unknown[]): string | undefined {
    if (this.#subscriptions.has(queryId)) {
      throw new ProtocolError(`The query id ${queryId} was added twice.`);
    }
    if (this.#subscriptions.size >= QUERIES_MAX) {
      throw new ProtocolError(`A connection may have at most ${QUERIES_MAX} queries.`);
    }
    try {
      const subscription = this.#host.queries.subscribe(
        this,
        queryId,
        canonicalPath(udfPath),
        decodeArguments(args),
        this.#identity,
      );
      this.#subscriptions.set(queryId, subscription);
      return undefined;
    } catch (error) {
      if (!(error instanceof BadArgumentsError)) throw error;
      this.#subscriptions.set(queryId, null);
      const errorMessage = error.message;
      return JSON.stringify({
        type: "QueryFailed",
        queryId,
        errorMessage,
        logLines: [],
        journal: null,
      });
    }
  }

  /** @param force sends the Transition even where no query changed */
  #transition(
    change: { querySet?: number; identity?: number },
    modifications: string[],
    force: boolean,
  ): void {
    if (!this.#requireCurrentIdentity()) return;
    for (const subscription of this.#subscriptions.values()) {
      if (subscription === null) continue;
      const update = this.#host.queries.update(subscription, this.#identity);
      if (update !== undefined) modifications.push(update);
    }
    this.#host.schedule.remove(this);
    if (!force && modifications.length === 0) return;
    this.#owesTransition = false;
    const start = this.#version;
    this.#version = { ...start, ...change, ts: this.#host.timestamps.encoded };
    this.#peer.sendTransition(
      encodeTransition(start, this.#version, modifications, {
        clientClockSkewMs: this.#clientClockSkewMs,
        serverNowMs: this.#host.clock(),
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
    if (!this.#waitsForDrain) return;
    this.#waitsForDrain = false;
    this.queueFlush("now");
  }

  #onClosed(): void {
    this.#end();
    this.#host.onClosed(this);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#inbox.length = 0;
    this.#requests.end();
    this.#host.schedule.remove(this);
    for (const subscription of this.#subscriptions.values()) {
      if (subscription !== null) this.#host.queries.unsubscribe(subscription);
    }
    this.#subscriptions.clear();
  }
}
