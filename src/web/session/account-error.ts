/** A refusal by the sign-in server, with its stable code. */
export class AccountError extends Error {
  override readonly name = "AccountError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ClientAnswer<T> {
  readonly data: T | null;
  readonly error: {
    readonly code?: string | undefined;
    readonly message?: string | undefined;
    readonly status: number;
  } | null;
}

const HTTP_TOO_MANY_REQUESTS = 429;

/**
 * The data of a response to the auth client.
 * @throws AccountError if the request was refused.
 */
export async function accountAnswer<T>(answer: Promise<ClientAnswer<T>>): Promise<T> {
  const { data, error } = await answer;
  if (error === null) return data as T;
  if (error.status === HTTP_TOO_MANY_REQUESTS) {
    const code = error.code ?? "TOO_MANY_REQUESTS";
    throw new AccountError(code, "Too many attempts. Wait a moment and try again.");
  }
  const message = error.message ?? "Something went wrong. Try again in a moment.";
  throw new AccountError(error.code ?? "UNKNOWN", message);
}
