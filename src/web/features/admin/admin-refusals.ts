import { AccountError, type ClientAnswer } from "../../session/account-error.ts";
import { askAccounts } from "../../session/account-refusals.ts";

const NOT_ALLOWED = "Your role does not allow this. Reload the page to see what it does.";

/** Messages by the authentication API's error codes; other codes show the server's message. */
const REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  USER_NOT_FOUND: "There is no such user any more.",
  YOU_CANNOT_BAN_YOURSELF: "You cannot ban yourself. Ask another administrator.",
  YOU_CANNOT_REMOVE_YOURSELF: "You cannot delete yourself here. Your settings can.",
  YOU_CANNOT_IMPERSONATE_ADMINS: "Administrators cannot view as each other.",
  FORBIDDEN: NOT_ALLOWED,
};

/**
 * Awaits a call of the authentication client and returns its data.
 * @throws AccountError with a message for administrators if the call was refused or got no answer
 */
export async function askAdmin<T>(answer: Promise<ClientAnswer<T>>): Promise<T> {
  try {
    return await askAccounts(answer);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    throw new AccountError(error.code, refusalSentence(error.code, error.message));
  }
}

/** @param fallback the server's message */
export function refusalSentence(code: string, fallback: string): string {
  if (code.startsWith("YOU_ARE_NOT_ALLOWED_")) return NOT_ALLOWED;
  return REFUSAL_TEXTS[code] ?? fallback;
}
