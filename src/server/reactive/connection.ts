/**
 * A client's connection: its protocol state, its queries and its requests.
 *
 * - Messages are handled in order of arrival; an Authenticate in progress blocks those after it.
 *   Mutations run one at a time, concurrently with later queries and actions.
 * - Every Transition starts at the version at which the previous one ended, and shows one
 *   consistent state of its queries: there is no await between the first evaluation and the last
 *   send.
 */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { clientKeyOf } from "../limits/client-key.ts";
import type { Occupant } from "../limits/connection-slots.ts";
import type { Holding } from "../limits/held-bytes.ts";
import { receivingMs } from "../limits/reading-in-turn.ts";
import { ThrottleWait } from "../limits/throttle-wait.ts";
import { ClientSession } from "./client-session.ts";
import { RETRY_LATER, type ConnectingClient, type ConnectionHost } from "./connection-host.ts";
import { ConnectionIdentity } from "./connection-identity.ts";
import type { Urgency } from "./executor.ts";
import type { Flushable } from "./flush-schedule.ts";
import { Inbox } from "./inbox.ts";
import { encodeFatalError, parseClientMessage, ProtocolError } from "./messages.ts";
import type { ClientMessage, ConnectMessage, ModifyQuerySetMessage } from "./messages.ts";
import { PeerSocket } from "./peer-socket.ts";
import { MESSAGE_BYTES_MAX, receiveMessage, requestOf } from "./received-message.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { RequestRunner } from "./request-runner.ts";
import { QuerySet, requireNextVersion } from "./query-set.ts";
import type { Subscriber } from "./query-entry.ts";
import { type StateChange, Transitions } from "./transitions.ts";
import type { ReactiveLog } from "./reactive-log.ts";

/** Reading stops if more messages wait, or more characters of them. */
const WAITING_MAX = 256;
const WAITING_SIZE_MAX = 2 * MESSAGE_BYTES_MAX;
const LOG_TEXT_MAX = 300;
/** A connection without a first message is closed after this time. */
const SILENT_MS_MAX = 5_000;

export class Connection implements Subscriber, Flushable, Occupant {
  readonly takesIncrements: boolean;
  readonly name = randomUUID();
  readonly #host: ConnectionHost;
  readonly #client: ConnectingClient;
  readonly #log: ReactiveLog;
  readonly #peer: PeerSocket;
  readonly #transitions: Transitions;
  readonly #identity: ConnectionIdentity;
  readonly #session = new ClientSession();
  readonly #queries: QuerySet;
  readonly #inbox: Inbox;
  readonly #requests: RequestRunner;
  /** Whether a mutation was answered whose confirming Transition could not be sent yet. */
  #owesTransition = false;
  #waitsForRoom = false;
  /** The memory of kept answers that is charged to the connection. */
  readonly #kept: Holding;
  #keptBytes = 0;
  readonly #readingWait: ThrottleWait;
  readonly #flushWait: ThrottleWait;
  #ended = false;
  #hasReceived = false;
  #lastMessageMs: number;
  readonly #departure = new AbortController();

  constructor(host: ConnectionHost, ws: WebSocket, socket: Socket, client: ConnectingClient) {
    const { address, joinsChunks } = client;
    this.#host = host;
    this.#client = client;
    this.takesIncrements = client.takesIncrements;
    this.#transitions = new Transitions(host, this.takesIncrements);
    this.#lastMessageMs = host.clock();
    this.#log = host.log.child({ connection: this.name, address });
    this.#readingWait = new ThrottleWait(host.shares, () => this.#regulate());
    this.#flushWait = new ThrottleWait(host.shares, () => this.flush());
    this.#queries = new QuerySet(host.queries, this);
    this.#identity = new ConnectionIdentity(host, client, this.#log, {
      version: () => this.#transitions.version.identity,
      hasEnded: () => this.#ended,
      onAdopted: (identity) => {
        this.#queries.changeIdentity(identity);
        this.#transition({ identity: this.#transitions.version.identity + 1 }, [], true);
      },
      onChecked: () => this.#takeMessages(),
      send: (text) => this.#peer.send(text),
      close: (code, reason) => this.close(code, reason),
      failOn: (error) => this.#failOn(error),
    });
    this.#inbox = new Inbox(host.shares, host.openings, {
      client: () => this.#identity.key,
      work: this.#client.work,
      unsettled: () => host.executor.unsettled?.(),
      isReady: () => !this.#identity.isBeingChecked && !this.#ended && !this.#peer.isCongested,
      take: (message) => this.#take(message),
      onWorked: () => this.#regulate(),
    });
    const holding = host.held.open(clientKeyOf(undefined, address), () => {
      this.#log.info({}, "a client that holds too much memory was cut off");
      this.terminate();
    });
    this.#kept = host.kept.open(clientKeyOf(undefined, address), () => {
      this.#log.info({}, "a client whose queries have too large answers was cut off");
      // Deferred, because this is called while the connection's queries are being changed.
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
        onRoom: () => this.#onRoom(),
        onClosed: () => {
          this.#end();
          client.onClosed();
        },
      },
    );
    this.#requests = new RequestRunner(host, this.#log, {
      client: () => this.#identity.key,
      address,
      name: this.name,
      work: this.#client.work,
      send: (text) => this.#peer.send(text),
      isCurrent: (identity) => this.#identity.isCurrent(identity),
      refuseExpired: () => this.#identity.refuseExpired(),
      confirm: () => {
        this.#owesTransition = true;
        this.flush();
      },
      onProgress: () => this.#takeMessages(),
      disconnect: (reason) => this.close(1011, reason),
    });
  }

  /** The sign-in session of the connection's user. */
  get sessionId(): string | undefined {
    return this.#identity.current?.sessionId;
  }

  get address(): string {
    return this.#client.address;
  }

  get userId(): string | undefined {
    return this.#identity.current?.subject;
  }

  get hasReceived(): boolean {
    return this.#hasReceived;
  }

  get lastMessageMs(): number {
    return this.#lastMessageMs;
  }

  /** Schedules an update because the answer of a query may have changed. */
  queueFlush(urgency: Urgency): void {
    if (this.#ended) return;
    this.#host.schedule.add(this, urgency);
  }

  onKept(bytesDifference: number): void {
    this.#keptBytes += bytesDifference;
    if (!this.#ended) this.#kept.set(this.#keptBytes);
  }

  /** Updates all queries to the current state with one Transition. */
  flush(): void {
    if (this.#ended) return;
    if (!this.#peer.hasRoom) {
      this.#waitsForRoom = true;
      return;
    }
    if (this.#host.schedule.defer(this)) return;
    // A token is being verified: its identity gets a Transition of its own.
    const { current, isBeingChecked, key } = this.#identity;
    if (isBeingChecked && !this.#identity.isCurrent(current)) return;
    const force = this.#owesTransition;
    if (!force && this.#flushWait.begin(key, this.#client.work)) return;
    // Called from a timer, where an error of one connection would end the process.
    try {
      this.#host.shares.run(key, () => this.#transition({}, [], force), this.#client.work);
    } catch (error) {
      this.#failOn(error);
    }
  }

  /** Sends pings and closes dead connections; call every few seconds. */
  keepAlive(): void {
    if (this.#ended) return;
    // The official client sends Connect immediately.
    if (!this.#hasReceived && this.#host.clock() - this.#lastMessageMs > SILENT_MS_MAX) {
      this.terminate();
      return;
    }
    this.#peer.keepAlive();
    if (!this.#identity.isBeingChecked) this.#identity.requireCurrent();
  }

  /** Closes the connection because its session has ended; the client requests a new token. */
  endSession(): void {
    this.#identity.endSession();
  }

  /** Closes the connection in favour of another client. */
  evict(): void {
    this.close(...RETRY_LATER);
  }

  close(code: number, reason: string): void {
    this.#end();
    this.#peer.close(code, reason);
  }

  terminate(): void {
    this.#end();
    this.#peer.terminate();
  }

  /** Charges bytes as they arrive, and stops reading from a throttled client, even within a message. */
  #onBytes(length: number): void {
    if (this.#ended) return;
    const { key } = this.#identity;
    this.#host.shares.charge(key, receivingMs(length), this.#client.work);
    if (this.#readingWait.isWaiting) return;
    if (this.#readingWait.begin(key, this.#client.work)) this.#regulate();
  }

  #receive(data: Buffer): void {
    if (this.#ended) return;
    this.#hasReceived = true;
    this.#lastMessageMs = this.#host.clock();
    const { executor } = this.#host;
    const message = receiveMessage(data, (kind, path) =>
      executor.lookUp(kind, path, this.#identity.current),
    );
    this.#inbox.push(message);
    this.#takeMessages();
  }

  #takeMessages(): void {
    if (!this.#ended) this.#inbox.work();
  }

  /** Stops reading while too many messages wait, or while the client is throttled. */
  #regulate(): void {
    const waiting = this.#inbox.length + this.#requests.waiting;
    const size = this.#inbox.size + this.#requests.size;
    const isThrottled = this.#readingWait.isWaiting || this.#inbox.isThrottled;
    this.#peer.setWaiting(isThrottled || waiting > WAITING_MAX || size > WAITING_SIZE_MAX, size);
  }

  #take({ text, isWhole }: ReceivedMessage): void {
    try {
      if (isWhole) this.#handle(parseClientMessage(text), text.length);
      else this.#refuseLarge(text);
    } catch (error) {
      this.#failOn(error);
    }
  }

  /**
   * Answers a request that is too large: if the connection were closed, the client would repeat the
   * request.
   */
  #refuseLarge(beginning: string): void {
    const request = requestOf(beginning);
    if (request === undefined) {
      throw new ProtocolError(`A message may have at most ${MESSAGE_BYTES_MAX} bytes.`);
    }
    this.#session.requireId(request.type);
    this.#requests.refuseLarge(request, this.#identity.current);
  }

  /** @param size length of the message in characters */
  #handle(message: ClientMessage, size: number): void {
    if (message.type === "Connect") {
      this.#connect(message);
      return;
    }
    const clientSessionId = this.#session.requireId(message.type);
    switch (message.type) {
      case "Authenticate":
        this.#identity.authenticate(message);
        break;
      case "ModifyQuerySet":
        this.#modifyQuerySet(message);
        break;
      case "Mutation":
        this.#requests.addMutation({
          message,
          size,
          identity: this.#identity.current,
          clientSessionId,
        });
        break;
      case "Action":
        if (this.#identity.requireCurrent()) {
          void this.#requests.runAction(message, size, {
            identity: this.#identity.current,
            client: this.#identity.key,
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
    if (observed > timestamps.latest) {
      this.#log.warn({ observed: String(observed) }, "a client has seen a time to come");
      this.close(1011, "InternalServerError: the client has seen a later state");
    }
  }

  #modifyQuerySet(message: ModifyQuerySetMessage): void {
    requireNextVersion(message, this.#transitions.version.querySet);
    if (!this.#identity.requireCurrent()) return;
    const modifications = this.#queries.modify(message.modifications);
    this.#transition({ querySet: message.newVersion }, modifications, true);
  }

  /** @param force sends the Transition even if no query changed */
  #transition(change: StateChange, modifications: string[], force: boolean): void {
    if (!this.#identity.requireCurrent()) return;
    const isComplete = this.#queries.update(this.#identity.current, modifications);
    this.#host.schedule.remove(this);
    if (!isComplete) this.queueFlush("conflated");
    if (!force && modifications.length === 0) return;
    this.#owesTransition = false;
    const { clockSkewMs } = this.#session;
    this.#peer.sendTransition(this.#transitions.encode(change, modifications, clockSkewMs));
  }

  #failOn(error: unknown): void {
    if (error instanceof ProtocolError) {
      this.#fail(error.message);
      return;
    }
    this.#log.error({ err: error }, "a message could not be handled");
    this.close(1011, "InternalServerError");
  }

  /**
   * Closes the connection for a protocol violation; the official client never reconnects after
   * this.
   */
  #fail(error: string): void {
    if (this.#ended) return;
    this.#log.info({ error: error.slice(0, LOG_TEXT_MAX) }, "a client broke the protocol");
    this.#peer.send(encodeFatalError(error));
    this.close(1002, error);
  }

  #onRoom(): void {
    if (this.#waitsForRoom) {
      this.#waitsForRoom = false;
      this.queueFlush("now");
    }
    this.#takeMessages();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#departure.abort();
    this.#flushWait.close();
    this.#readingWait.close();
    this.#inbox.close();
    this.#requests.end();
    this.#host.schedule.remove(this);
    this.#host.departures.add(this.#queries.leave());
    this.#kept.close();
  }
}
