/**
 * The one shape of an expected refusal, whichever door it leaves through. `code` is stable and meant
 * for programs, `field` names the argument at fault where there is one, `message` is for people.
 */
export interface ErrorData {
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  /** Of a refusal that time cures: milliseconds after which the same request may succeed. */
  readonly retryAfterMs?: number;
}

/** Codes besides the engine's reject reasons. */
export type EdgeErrorCode =
  | "unauthorized"
  | "forbidden"
  | "invalidArgument"
  | "notFound"
  | "tooLarge"
  | "tooManyRequests"
  | "unavailable";
