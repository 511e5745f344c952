/**
 * The interface between the protocol server and its host: running functions by path, and
 * identifying callers. The protocol server knows nothing of exchanges.
 */
import type { ClientKey } from "../limits/client-key.ts";

/** A verified caller; null for a visitor. */
export interface Identity {
  /** The user's id. */
  readonly subject: string;
  /** The sign-in session that the token was issued for. */
  readonly sessionId: string;
  /** Whether an administrator views as this user: no changes are allowed. */
  readonly readOnly?: boolean;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** Tokens cannot be verified at the moment. This is not a refusal: the caller retries. */
export class AuthenticationUnavailableError extends Error {
  override readonly name = "AuthenticationUnavailableError";
}

/** A token was refused permanently. Code and message are sent to the client. */
export class AuthenticationRefusedError extends Error {
  override readonly name: string = "AuthenticationRefusedError";
  /** A stable code for programs, such as the protocol's `NoAuthProvider`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface FunctionCall {
  /** The function's path as `module:name`, such as `coins:list`. */
  readonly path: string;
  readonly args: unknown;
  readonly identity: Identity | null;
  /**
   * Identifies the request in log lines about its failure: connection and request number, or the id
   * of an HTTP call. Undefined for a query that runs again for all its subscribers.
   */
  readonly request?: string | undefined;
}

export interface QueryCall extends FunctionCall {
  /**
   * The journal of an earlier run of the same query (`QueryResult.journal`), null if there was
   * none. Clients keep it across reconnections, so it may be any text.
   */
  readonly journal: string | null;
}

export type FunctionKind = "query" | "mutation" | "action";

/** The result of looking up a function before its arguments are read. */
export type FunctionLookup =
  | { readonly refusal: FunctionResult & { readonly status: "error" } }
  | {
      /** Limit of the arguments as JSON, in bytes. */
      readonly argumentBytesMax: number;
      /** Time limit of the action in milliseconds; the server's limit by default. */
      readonly msMax?: number;
    };

export interface ActionCall extends FunctionCall {
  /** The client to whom the work is charged. */
  readonly client: ClientKey;
  /** Aborted when the caller leaves: work that has not begun is dropped. */
  readonly signal?: AbortSignal;
}

export type FunctionResult = FunctionOutcome & {
  /**
   * Lines that the function logged, as `[LEVEL] text`, for a developer's console. Every caller can
   * read them: for development servers only.
   */
  readonly logLines?: readonly string[];
};

type FunctionOutcome =
  /**
   * The function's value. A `SharedValue` (encoding.ts) is encoded once for all callers; an
   * `EncodedValue` is already encoded.
   */
  | { readonly status: "success"; readonly value: unknown }
  | {
      readonly status: "error";
      readonly message: string;
      /**
       * Structured error data, by which a client can distinguish errors; absent for unexpected
       * errors.
       */
      readonly data?: unknown;
    };

export interface QueryResult {
  /**
   * The answer; a promise while its data is being loaded. The query runs again when the promise
   * settles. Until then subscribers keep the previous answer, and other callers wait.
   */
  readonly result: FunctionResult | Promise<void>;
  /**
   * The query journal for the next run, such as where a page ended; if absent, the last one is
   * kept.
   */
  readonly journal?: string;
  /** The topics that the handler read: a change of one makes the query run again. */
  readonly topics: ReadonlySet<string>;
  /** False if the answer is the same for all callers, so that one evaluation serves all. */
  readonly readsIdentity: boolean;
}

export interface Executor {
  /** Looks up a function: whether it exists and the caller may call it, and its limits. */
  lookUp(kind: FunctionKind, path: string, identity: Identity | null): FunctionLookup;
  /**
   * Whether a query uses a journal; every query does if this method is absent. A client's journal
   * is ignored for other queries: it could otherwise make any number of answers of one query.
   */
  leavesJournal?(path: string): boolean;
  /** Runs a query. Synchronous, over memory: a pass over many queries is one consistent snapshot. */
  query(call: QueryCall): QueryResult;
  /**
   * Runs a mutation. Resolves only when the outcome is durable and visible in the read models. It can
   * then no longer be undone, so the wire format must be able to represent the value.
   * @param idempotencyKey the same for every repeat of a request, "" if none
   */
  mutation(call: FunctionCall, idempotencyKey: string): Promise<FunctionResult>;
  action(call: ActionCall): Promise<FunctionResult>;
  /**
   * While the state changes in steps, a promise that resolves when queries may run again; otherwise
   * undefined.
   */
  unsettled?(): Promise<void> | undefined;
  /**
   * The version of the state that queries read. It never decreases, even after a restart, and
   * includes the outcome of every mutation that has resolved.
   */
  version(): bigint;
  /**
   * Verifies a backend token.
   * @returns its identity
   * @throws AuthenticationUnavailableError if it cannot be verified, AuthenticationRefusedError if
   * it is invalid
   */
  authenticate(token: string): Promise<Identity>;
  /** False once the identity's session has ended, even if its token has not expired. */
  isLive(identity: Identity): boolean;
}

/**
 * Thrown by a mutation whose outcome is unknown, such as one in progress when the engine stopped.
 * The client gets no answer: it is made to reconnect, and re-sends the mutation with the same key.
 */
export class OutcomeUnknownError extends Error {}

/** How soon subscribers are notified of a change. */
export type Urgency = "now" | "conflated";
