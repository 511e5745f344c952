/** The mutations and actions of one connection: mutations one at a time, actions side by side. */
import { setTimeout as delay } from "node:timers/promises";
import type { ClientKey } from "../limits/client-key.ts";
import type { RecentWork } from "../limits/work-shares.ts";
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

/** What the requests need from their connection. */
interface Requester {
  /** The client whose allowance the work counts against. */
  client(): ClientKey;
  readonly address: string;
  /** Names the connection in log lines. */
  readonly name: string;
  readonly work: RecentWork;
  send(text: string): void;
  isCurrent(identity: Identity | null): boolean;
  /** Closes the connection because the identity has ended. */
  refuseExpired(): void;
  /** Sends the Transition that confirms a successful mutation. */
  confirm(): void;
  /** One request fewer waits or is in progress. */
  onProgress(): void;
  /** Closes the connection so that the client reconnects and repeats unanswered requests. */
  disconnect(reason: string): void;
}

interface WaitingMutation {
  readonly message: MutationMessage;
  /** Characters of the message. */
  readonly size: number;
  /** The connection's identity when the mutation's turn among the messages came. */
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

  /** The size of the messages of all requests that wait or are in progress. */
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

  /** Answers why a request whose arguments were not read is refused. */
  refuseLarge({ type, kind, requestId, path }: LargeRequest, identity: Identity | null): void {
    const refusal = this.#refusalOf(kind, path, Infinity, identity);
    if (refusal !== undefined) this.respond(`${type}Response`, requestId, refusal);
  }

  /** Why a request is refused before its arguments are read; undefined if it is not. */
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

  /** @param ts of the state that shows a successful mutation */
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

  /** Starts and answers nothing more. */
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

  /** Runs in the client's turn. Undefined if nothing may be answered. */
  async #mutate(waiting: WaitingMutation): Promise<FunctionResult | undefined> {
    const { requestId, udfPath } = waiting.message;
    const path = canonicalPath(udfPath);
    const client = this.#requester.client();
    const start = () => this.#start(path, waiting);
    const waitMs = this.#host.mutationRates.take(client, this.#requester.address);
    if (waitMs > WAIT_MS_MAX) {
      // Unanswered, so the client sends it again; with this reason it backs off more slowly.
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

  /** Checks the connection now: it, or its session, may have ended while the mutation waited. */
  #start(
    path: string,
    { message, size, identity, clientSessionId }: WaitingMutation,
  ): Promise<FunctionResult> | FunctionResult | undefined {
    if (this.#ended) return undefined;
    if (!this.#requester.isCurrent(identity)) {
      // Unanswered, so the client sends it again with a token that is valid.
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

  /** The response first, then a Transition at least as late: only then the client's promise resolves. */
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
