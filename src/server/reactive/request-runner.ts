/** Runs the mutations and actions of one connection: mutations one at a time, actions concurrently. */
import { setTimeout as delay } from "node:timers/promises";
import type { ClientKey } from "../limits/client-key.ts";
import type { RecentWork } from "../limits/recent-work.ts";
import {
  ArgumentsTooLargeError,
  BadArgumentsError,
  canonicalPath,
  decodeArguments,
  SERVER_ERROR,
  UNSENDABLE_ANSWER,
  UnsendableAnswerError,
} from "./encoding.ts";
import { runActionInTime } from "./action-time.ts";
import type { ConnectionHost } from "./connection-host.ts";
import { OutcomeUnknownError } from "./executor.ts";
import type { ActionCall, FunctionKind, FunctionResult, Identity } from "./executor.ts";
import { encodeResponse } from "./messages.ts";
import type { ActionMessage, MutationMessage } from "./messages.ts";
import { WAIT_MS_MAX } from "./mutation-rates.ts";
import { idempotencyKeyOf } from "./mutation-runner.ts";
import { type LargeRequest, requestBytesMax } from "./received-message.ts";
import type { ReactiveLog } from "./reactive-log.ts";

const ACTIONS_UNDER_WAY_MAX = 32;

/** The connection's interface to its requests. */
interface Requester {
  /** The client to whom the work is charged. */
  client(): ClientKey;
  readonly address: string;
  /** Identifies the connection in log lines. */
  readonly name: string;
  readonly work: RecentWork;
  send(text: string): void;
  isCurrent(identity: Identity | null): boolean;
  /** Closes the connection because its identity has expired. */
  refuseExpired(): void;
  /** Sends the Transition that confirms a successful mutation. */
  confirm(): void;
  /** Called when a request has ended. */
  onProgress(): void;
  /** Closes the connection, so that the client reconnects and repeats unanswered requests. */
  disconnect(reason: string): void;
}

interface WaitingMutation {
  readonly message: MutationMessage;
  /** Length of the message in characters. */
  readonly size: number;
  /** The connection's identity when the mutation's message was handled. */
  readonly identity: Identity | null;
  readonly clientSessionId: string;
}

export class RequestRunner {
  readonly #host: ConnectionHost;
  readonly #log: ReactiveLog;
  readonly #requester: Requester;
  #mutations: WaitingMutation[] = [];
  #mutating = false;
  #actionsUnderWay = 0;
  #size = 0;
  #ended = false;

  constructor(host: ConnectionHost, log: ReactiveLog, requester: Requester) {
    this.#host = host;
    this.#log = log;
    this.#requester = requester;
  }

  get waiting(): number {
    return this.#mutations.length;
  }

  /** Total length of the messages of all waiting and running requests, in characters. */
  get size(): number {
    return this.#size;
  }

  addMutation(waiting: WaitingMutation): void {
    this.#mutations.push(waiting);
    this.#size += waiting.size;
    if (!this.#mutating) void this.#runMutations();
  }

  async runAction(
    { requestId, udfPath, args }: ActionMessage,
    size: number,
    caller: Pick<ActionCall, "identity" | "client" | "signal">,
  ): Promise<void> {
    if (this.#actionsUnderWay >= ACTIONS_UNDER_WAY_MAX) {
      this.respond("ActionResponse", requestId, {
        status: "error",
        message: `At most ${ACTIONS_UNDER_WAY_MAX} actions may be under way at once.`,
      });
      return;
    }
    const path = canonicalPath(udfPath);
    const refusal = this.#refusalOf("action", path, size, caller.identity);
    if (refusal !== undefined) {
      this.respond("ActionResponse", requestId, refusal);
      return;
    }
    this.#actionsUnderWay++;
    this.#size += size;
    let result: FunctionResult;
    try {
      const request = this.#nameOf(requestId);
      const call = { path, args: decodeArguments(args), request, ...caller };
      result = await runActionInTime(this.#host.executor, call, this.#host.actionMsMax);
    } catch (error) {
      result = this.#resultOf(error, path, requestId);
    }
    this.#actionsUnderWay--;
    this.#size -= size;
    this.respond("ActionResponse", requestId, result);
    this.#requester.onProgress();
  }

  /** Answers a request that was too large to be parsed with the reason of its refusal. */
  refuseLarge({ type, kind, requestId, path }: LargeRequest, identity: Identity | null): void {
    const refusal = this.#refusalOf(kind, path, Infinity, identity);
    if (refusal !== undefined) this.respond(`${type}Response`, requestId, refusal);
  }

  /** The refusal of a request before its arguments are read; undefined if it may run. */
  #refusalOf(
    kind: FunctionKind,
    path: string,
    size: number,
    identity: Identity | null,
  ): FunctionResult | undefined {
    const lookup = this.#host.executor.lookUp(kind, path, identity);
    if ("refusal" in lookup) return lookup.refusal;
    const { argumentBytesMax } = lookup;
    if (size <= requestBytesMax(argumentBytesMax)) return undefined;
    return new ArgumentsTooLargeError(argumentBytesMax).result;
  }

  /**
   * Sends the response to a request.
   * @param ts timestamp of the state that shows a successful mutation
   */
  respond(
    type: "MutationResponse" | "ActionResponse",
    requestId: number,
    result: FunctionResult,
    ts?: string,
  ): void {
    if (this.#ended) return;
    const requester = this.#requester;
    this.#host.shares.run(
      requester.client(),
      () => requester.send(this.#encode(type, requestId, result, ts)),
      requester.work,
    );
  }

  #encode(...answer: Parameters<typeof encodeResponse>): string {
    try {
      return encodeResponse(...answer);
    } catch (error) {
      const [type, requestId] = answer;
      const details = { err: error, request: this.#nameOf(requestId) };
      this.#log.error(details, "a function answered what cannot be sent");
      return encodeResponse(type, requestId, SERVER_ERROR);
    }
  }

  /** Stops: no more requests are started or answered. */
  end(): void {
    this.#ended = true;
    this.#mutations.length = 0;
  }

  async #runMutations(): Promise<void> {
    this.#mutating = true;
    for (;;) {
      const next = this.#mutations.shift();
      if (next === undefined || this.#ended) break;
      const result = await this.#mutate(next);
      this.#size -= next.size;
      if (result === undefined || this.#ended) break;
      this.#answerMutation(next.message.requestId, result);
      this.#requester.onProgress();
    }
    this.#mutating = false;
  }

  /** Runs a mutation in the client's turn. Returns undefined if it must not be answered. */
  async #mutate(waiting: WaitingMutation): Promise<FunctionResult | undefined> {
    const { requestId, udfPath } = waiting.message;
    const path = canonicalPath(udfPath);
    const client = this.#requester.client();
    const start = () => this.#start(path, waiting);
    const waitMs = this.#host.mutationRates.take(client, this.#requester.address);
    if (waitMs > WAIT_MS_MAX) {
      // Unanswered, so that the client re-sends the mutation; this reason makes it back off longer.
      this.#requester.disconnect("TooManyConcurrentRequests: too many mutations");
      return undefined;
    }
    try {
      if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
      return await this.#host.shares.schedule(client, start, this.#requester.work);
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        return this.#resultOf(error, path, requestId);
      }
      const details = { err: error, path, request: this.#nameOf(requestId) };
      this.#host.repeats.warn(details, "the outcome of a mutation is unknown");
      this.#requester.disconnect("InternalServerError: the outcome is unknown");
      return undefined;
    }
  }

  /** Starts a mutation unless the connection or its session ended while the mutation waited. */
  #start(
    path: string,
    { message, size, identity, clientSessionId }: WaitingMutation,
  ): Promise<FunctionResult> | FunctionResult | undefined {
    if (this.#ended) return undefined;
    if (!this.#requester.isCurrent(identity)) {
      // Unanswered, so that the client re-sends the mutation with a valid token.
      this.#requester.refuseExpired();
      return undefined;
    }
    const refusal = this.#refusalOf("mutation", path, size, identity);
    if (refusal !== undefined) return refusal;
    const request = this.#nameOf(message.requestId);
    const call = { path, args: decodeArguments(message.args), identity, request };
    const key = idempotencyKeyOf(call, clientSessionId, message.requestId);
    return this.#host.mutations.run(call, key, this.#requester.client());
  }

  /**
   * Sends the response, then a Transition of the same or a later state: only then the client's
   * promise resolves.
   */
  #answerMutation(requestId: number, result: FunctionResult): void {
    if (result.status === "error") {
      this.respond("MutationResponse", requestId, result);
      return;
    }
    const { timestamps } = this.#host;
    this.respond("MutationResponse", requestId, result, timestamps.encoded);
    this.#requester.confirm();
  }

  #nameOf(requestId: number): string {
    return `${this.#requester.name}/${requestId}`;
  }

  #resultOf(error: unknown, path: string, requestId: number): FunctionResult {
    if (error instanceof BadArgumentsError) {
      return { status: "error", message: error.message, data: error.data };
    }
    this.#log.error({ err: error, path, request: this.#nameOf(requestId) }, "a function threw");
    return error instanceof UnsendableAnswerError ? UNSENDABLE_ANSWER : SERVER_ERROR;
  }
}
