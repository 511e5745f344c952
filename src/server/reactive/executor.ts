/**
 * What the reactive protocol server needs from whoever hosts it: a way to run functions by path and
 * to know who asks. The protocol server knows nothing of exchanges.
 */
import type { ClientKey } from "../limits/client-key.ts";

/** A verified caller; null stands for a visitor. */
export interface Identity {
  /** The user's id. */
  readonly subject: string;
  /** The sign-in session that the token was issued for. */
  readonly sessionId: string;
  /** True for somebody who looks through the user's eyes: nothing may be changed. */
  readonly readOnly?: boolean;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** Whether a token is good cannot be told at the moment: it is not refused, and the caller tries again. */
export class AuthenticationUnavailableError extends Error {
  override readonly name = "AuthenticationUnavailableError";
}

export interface FunctionCall {
  /** `module:name`, such as `coins:list`. */
  readonly path: string;
  readonly args: unknown;
  readonly identity: Identity | null;
}

export type FunctionKind = "query" | "mutation" | "action";

/** What is known of a call before its arguments are read. */
export type FunctionLookup =
  | { readonly refusal: FunctionResult & { readonly status: "error" } }
  /** How many bytes of JSON the arguments may have. */
  | { readonly argumentBytesMax: number };

export interface ActionCall extends FunctionCall {
  /** Whose allowance the work counts against. */
  readonly client: ClientKey;
  /** Aborted when the caller leaves: what has not begun for it need not begin. */
  readonly signal?: AbortSignal;
}

export type FunctionResult =
  /** A `SharedValue` (encoding.ts) is encoded once for all whom it answers, an `EncodedValue` already. */
  | { readonly status: "success"; readonly value: unknown }
  | {
      readonly status: "error";
      readonly message: string;
      /** Structured error data that the client may branch on; absent for unexpected errors. */
      readonly data?: unknown;
    };

export interface QueryResult {
  readonly result: FunctionResult;
  /** What the handler read; when one of these changes the query runs again. */
  readonly topics: ReadonlySet<string>;
  /** False where the answer is the same for everybody, so that it is evaluated once for all. */
  readonly readsIdentity: boolean;
}

export interface Executor {
  /** Whether there is such a function and the caller may call it, and how large its arguments may be. */
  lookUp(kind: FunctionKind, path: string, identity: Identity | null): FunctionLookup;
  /** Synchronous over memory, so that one pass over many queries is one atomic snapshot. */
  query(call: FunctionCall): QueryResult;
  /**
   * Resolves only when the outcome is durable and the read models show it.
   * @param idempotencyKey the same for every repeat of one request, "" where there is none
   */
  mutation(call: FunctionCall, idempotencyKey: string): Promise<FunctionResult>;
  action(call: ActionCall): Promise<FunctionResult>;
  /**
   * The identity of a backend token.
   * @throws AuthenticationUnavailableError if it cannot be checked, else Error with a public message
   * for a bad token.
   */
  authenticate(token: string): Promise<Identity>;
  /** False once the identity's session has ended, although its token is still unexpired. */
  isLive(identity: Identity): boolean;
}

/**
 * Thrown by a mutation whose outcome nobody knows, such as one that was under way when the engine
 * stopped. It is not answered: the client is made to reconnect and sends it again with the same key.
 */
export class OutcomeUnknownError extends Error {}

/** How soon subscribers hear of a change. */
export type Urgency = "now" | "conflated";
