/**
 * The one form of an expected refusal, in every interface. `code` is stable and meant for programs,
 * `field` names the invalid argument if there is one, `message` is meant for people.
 */
export interface ErrorData {
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  /** For a temporary refusal: milliseconds after which the same request may succeed. */
  readonly retryAfterMs?: number;
}

/** Error codes of the server, in addition to the engine's reject reasons. */
export type ServerErrorCode =
  | "unauthorized"
  | "forbidden"
  | "invalidArgument"
  | "notFound"
  | "tooLarge"
  | "tooManyRequests"
  | "unavailable";
