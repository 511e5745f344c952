/**
 * One client's connection: its place in the protocol, its queries, its requests.
 *
 * - Messages are handled first in, first out; an Authenticate under way holds up what follows it.
 *   Mutations run one at a time, beside the queries and actions that come after them.
 * - Every Transition starts at the version where the last one ended, and shows one state across its
 *   queries: nothing here awaits between reading the first query and sending the last.
 */
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Executor, Identity, Urgency } from "./executor.ts";
import type { Flushable, FlushSchedule } from "./flush-schedule.ts";
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
import type { MutationRunner } from "./mutation-runner.ts";
import { PeerSocket } from "./peer-socket.ts";
import { RequestRunner } from "./request-runner.ts";
import { QuerySet } from "./query-set.ts";
import type { QueryStore, Subscriber } from "./query-store.ts";
import { decodeTimestamp, ZERO_TIMESTAMP } from "./timestamps.ts";
import type { Timestamps } from "./timestamps.ts";
import type { ReactiveLog } from "./reactive-log.ts";

export const MESSAGE_BYTES_MAX = 1_048_576;
/** Waiting messages beyond this many, or this many characters of them, stop the reading. */
const WAITING_MAX = 256;
const WAITING_SIZE_MAX = 2 * MESSAGE_BYTES_MAX;
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
  readonly #queries: QuerySet;
  readonly #inbox = new Inbox(() => this.#work());
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
    this.#queries = new QuerySet(host.queries, this);
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
    if (text.length > MESSAGE_BYTES_MAX) {
      this.#receiveLarge(text);
      return;
    }
    this.#inbox.push(text);
    this.#work();
  }

  #receiveLarge(text: string): void {
    try {
      if (this.#refuseLarge(parseClientMessage(text))) return;
      throw new ProtocolError(`A message may have at most ${MESSAGE_BYTES_MAX} bytes.`);
    } catch (error) {
      this.#failOn(error);
    }
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
        const text = this.#inbox.take();
        if (text === undefined) break;
        const startedMs = performance.now();
        this.#handle(parseClientMessage(text), text.length);
        if (!this.#ended) this.#inbox.spend(startedMs, performance.now());
      }
    } catch (error) {
      this.#failOn(error);
    }
    const waiting = this.#inbox.length + this.#requests.waiting;
    const size = this.#inbox.size + this.#requests.size;
    this.#peer.setBusy(waiting > WAITING_MAX || size > WAITING_SIZE_MAX);
  }

  /** @param size in characters */
  #handle(message: ClientMessage, size: number): void {
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
        this.#requests.addMutation({
          message,
          size,
          identity: this.#identity,
          clientSessionId: this.#clientSessionId,
        });
        break;
      case "Action":
        if (this.#requireCurrentIdentity()) {
          void this.#requests.runAction(message, size, this.#identity);
        }
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
    this.#inbox.close();
    this.#requests.end();
    this.#host.schedule.remove(this);
    this.#queries.clear();
  }
}
