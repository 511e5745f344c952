/**
 * What the reactive protocol server needs from whoever hosts it: a way to run functions by path and
 * to know who asks. The protocol server knows nothing of exchanges.
 */

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

export interface FunctionCall {
  /** `module:name`, such as `coins:list`. */
  readonly path: string;
  readonly args: unknown;
  readonly identity: Identity | null;
}

export type FunctionResult =
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
  /** Synchronous over memory, so that one pass over many queries is one atomic snapshot. */
  query(call: FunctionCall): QueryResult;
  /**
   * Resolves only when the outcome is durable and the read models show it.
   * @param idempotencyKey the same for every repeat of one request, "" where there is none
   */
  mutation(call: FunctionCall, idempotencyKey: string): Promise<FunctionResult>;
  action(call: FunctionCall): Promise<FunctionResult>;
  /** The identity of a backend token. Throws an Error with a public message for a bad token. */
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
