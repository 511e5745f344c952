/**
 * What the reactive protocol server needs from its host: running functions by path and identifying
 * callers. The protocol server knows nothing of exchanges.
 */
import type { ClientKey } from "../limits/client-key.ts";

/** A verified caller; null for a visitor. */
export interface Identity {
  /** The user's id. */
  readonly subject: string;
  /** The sign-in session that the token was issued for. */
  readonly sessionId: string;
  /** True when an administrator views as this user: nothing may be changed. */
  readonly readOnly?: boolean;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** Tokens cannot be verified at the moment: this is not a refusal, and the caller retries. */
export class AuthenticationUnavailableError extends Error {
  override readonly name = "AuthenticationUnavailableError";
}

/** A token was refused for good. Code and message reach the client. */
export class AuthenticationRefusedError extends Error {
  override readonly name: string = "AuthenticationRefusedError";
  /** Such as the protocol's `NoAuthProvider`: programs tell by it what to do. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface FunctionCall {
  /** `module:name`, such as `coins:list`. */
  readonly path: string;
  readonly args: unknown;
  readonly identity: Identity | null;
  /**
   * Names the request in log lines of its failure: its connection and number, or that of an HTTP
   * call. A query that runs again, for all its subscribers, has none.
   */
  readonly request?: string | undefined;
}

export interface QueryCall extends FunctionCall {
  /**
   * What an earlier run of the same query left for this one (`QueryResult.journal`), null if there was
   * none. The client keeps it over a reconnection, so it may be any text.
   */
  readonly journal: string | null;
}

export type FunctionKind = "query" | "mutation" | "action";

/** What is known of a call before its arguments are read. */
export type FunctionLookup =
  | { readonly refusal: FunctionResult & { readonly status: "error" } }
  | {
      /** How many bytes of JSON the arguments may have. */
      readonly argumentBytesMax: number;
      /** How long an action may take; as long as any by default. */
      readonly msMax?: number;
    };

export interface ActionCall extends FunctionCall {
  /** The client whose allowance the work counts against. */
  readonly client: ClientKey;
  /** Aborted when the caller leaves: work not begun for it is dropped. */
  readonly signal?: AbortSignal;
}

export type FunctionResult = FunctionOutcome & {
  /**
   * What the function logged, as `[LEVEL] text`, for a developer's console. Every caller reads it:
   * only for servers in development.
   */
  readonly logLines?: readonly string[];
};

type FunctionOutcome =
  /**
   * A `SharedValue` (encoding.ts) is encoded once for all callers, an `EncodedValue` is already
   * encoded.
   */
  | { readonly status: "success"; readonly value: unknown }
  | {
      readonly status: "error";
      readonly message: string;
      /** Structured error data that the client may branch on; absent for unexpected errors. */
      readonly data?: unknown;
    };

export interface QueryResult {
  /**
   * A promise while the answer's data is being loaded: once it settles the query runs again. Until then
   * subscribers are shown nothing new, and other callers wait.
   */
  readonly result: FunctionResult | Promise<void>;
  /** Left for the next run, such as where a page ended; without one the last run's stays. */
  readonly journal?: string;
  /** The topics that the handler read; when one of them changes the query runs again. */
  readonly topics: ReadonlySet<string>;
  /** False if the answer is the same for all callers, so that it is evaluated once. */
  readonly readsIdentity: boolean;
}

export interface Executor {
  /** Whether the function exists and the caller may call it, and the limits of a call. */
  lookUp(kind: FunctionKind, path: string, identity: Identity | null): FunctionLookup;
  /**
   * Whether a query may leave a journal: what a client sends as one is dropped for all others, or it could
   * make any number of answers of one. Every query may, without this method.
   */
  leavesJournal?(path: string): boolean;
  /** Synchronous over memory, so that one pass over many queries is one atomic snapshot. */
  query(call: QueryCall): QueryResult;
  /**
   * Resolves only when the outcome is durable and visible in the read models. It cannot be undone by
   * then, so the value must be one that the wire format can represent.
   * @param idempotencyKey the same for every repeat of one request, "" if none
   */
  mutation(call: FunctionCall, idempotencyKey: string): Promise<FunctionResult>;
  action(call: ActionCall): Promise<FunctionResult>;
  /**
   * While the state is changing in steps, a promise of the end: no query may run until then. Undefined,
   * as without this method, if it is not.
   */
  unsettled?(): Promise<void> | undefined;
  /**
   * The version of the state that queries read now. It never decreases, not even after a restart, and
   * includes the outcome of every mutation that has resolved.
   */
  version(): bigint;
  /**
   * The identity of a backend token.
   * @throws AuthenticationUnavailableError if it cannot be checked, AuthenticationRefusedError for a
   * bad token
   */
  authenticate(token: string): Promise<Identity>;
  /** False once the identity's session has ended, although its token is still unexpired. */
  isLive(identity: Identity): boolean;
}

/**
 * Thrown by a mutation whose outcome is unknown, such as one in progress when the engine stopped.
 * It is not answered: the client is made to reconnect and sends it again with the same key.
 */
export class OutcomeUnknownError extends Error {}

/** How soon subscribers are notified of a change. */
export type Urgency = "now" | "conflated";
