/** A refusal of the accounts, with their stable code. */
class AccountError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface ClientAnswer<T> {
  readonly data: T | null;
  readonly error: {
    readonly code?: string | undefined;
    readonly message?: string | undefined;
    readonly status: number;
  } | null;
}

const HTTP_TOO_MANY_REQUESTS = 429;

/**
 * The data of an answer of the accounts' client.
 * @throws AccountError when it was refused.
 */
export async function accountAnswer<T>(answer: Promise<ClientAnswer<T>>): Promise<T> {
  const { data, error } = await answer;
  if (error === null) return data as T;
  if (error.status === HTTP_TOO_MANY_REQUESTS) {
    throw new AccountError("TOO_MANY_REQUESTS", "Too many attempts. Wait a moment and try again.");
  }
  throw new AccountError(error.code ?? "UNKNOWN", error.message ?? "Something went wrong.");
}

const SENTENCES: Record<string, string> = {
  token_expired: "This link has expired. Ask for a new one.",
  invalid_token: "This link is no longer valid. Ask for a new one.",
  user_not_found: "There is no account for this link.",
  unauthorized: "Sign in with the account that this link belongs to.",
  please_restart_the_process: "The sign-in took too long. Try again.",
  account_already_linked_to_different_user: "This sign-in already belongs to another account.",
  email_not_found: "The provider did not tell us an email address.",
  "signup disabled": "New accounts cannot be created this way.",
};

/** A sentence for an error code in the page's address. */
export function addressErrorSentence(code: string): string {
  return SENTENCES[code.toLowerCase()] ?? SENTENCES[code] ?? "The sign-in did not work. Try again.";
}
