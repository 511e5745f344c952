/**
 * Error messages for refusals by the sign-in server: the problem, and the next step. Kept out
 * of account-error.ts, which every page loads.
 */
import { AccountError, accountAnswer, type ClientAnswer } from "./account-error.ts";
import { errorDataOf } from "./error-sentence.ts";

const NEW_SIGN_IN_CODES = new Set(["SESSION_NOT_FRESH", "SESSION_EXPIRED"]);
const STEP_OVER_CODES = new Set([
  "INVALID_TWO_FACTOR_COOKIE",
  "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
  "ACCOUNT_TEMPORARILY_LOCKED",
]);
const NEW_PASSWORD_CODES = new Set([
  "PASSWORD_TOO_SHORT",
  "PASSWORD_TOO_LONG",
  "PASSWORD_TOO_WEAK",
  "PASSWORD_UNCHANGED",
]);

const WRONG_ORIGIN =
  "Passkeys do not work at this address. Open the exchange under its name, or sign in another way.";

/** Messages by error code; for other codes the server's own message is shown. */
const REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: "Invalid email or password. Try again, or reset your password.",
  USER_ALREADY_EXISTS: "This email has an account already. Sign in, or use another email.",
  EMAIL_NOT_VERIFIED: "Verify your email first: open the link that we sent you.",
  PROVIDER_NOT_FOUND: "This provider is not offered here. Sign in another way.",
  PROVIDER_UNAVAILABLE: "This provider cannot be reached. Try again in a minute, or another way.",
  INVALID_PASSWORD: "This is not your password. Try again.",
  PASSWORD_TOO_SHORT: "This password is too short. Use a longer one.",
  PASSWORD_TOO_LONG: "This password is too long. Use a shorter one.",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "Your account has no password yet. Set one first.",
  INVALID_TOKEN: "This link no longer works. Ask for a new one.",
  SESSION_NOT_FRESH: "Sign in again to do this.",
  SESSION_EXPIRED: "Sign in again to do this.",
  UNAUTHORIZED: "Your session has ended. Sign in again.",
  FAILED_TO_UNLINK_LAST_ACCOUNT:
    "This is your only way to sign in. Set a password or link another account first.",
  INVALID_CODE: "This code is not right. Enter the one that your app shows now.",
  INVALID_BACKUP_CODE: "This backup code is not right, or it was used before. Each works once.",
  INVALID_TWO_FACTOR_COOKIE: "This step has expired. Sign in again to repeat it.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Sign in again to repeat this step.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Wait 15 minutes, then sign in again.",
  TOTP_ALREADY_ENABLED: "Two-factor sign-in is on already. Reload the page.",
  TWO_FACTOR_NOT_ENABLED: "Two-factor sign-in is off already. Reload the page.",
  AUTH_CANCELLED: "The passkey was not used. Try again, or sign in another way.",
  PASSKEY_NOT_FOUND: "This passkey does not belong to an account here. Sign in another way.",
  AUTHENTICATION_FAILED: "This passkey was not accepted. Try again, or sign in another way.",
  ERROR_INVALID_DOMAIN: WRONG_ORIGIN,
  ERROR_INVALID_RP_ID: WRONG_ORIGIN,
  VALIDATION_ERROR: "One of the fields holds something that cannot be kept. Change it, please.",
  CHALLENGE_NOT_FOUND: "That took too long. Try again.",
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: "This device has a passkey for your account already.",
  PREVIOUSLY_REGISTERED: "This device has a passkey for your account already.",
};

/** Messages by the error code of a redirect back to this page, which separates words by `_`. */
const URL_ERROR_TEXTS: Readonly<Record<string, string>> = {
  session_ended: "Your session has ended. Sign in again to go on.",
  token_expired: "This link has expired. Ask for a new one.",
  invalid_token: "This link is no longer valid. Ask for a new one.",
  user_not_found: "There is no account for this link.",
  unauthorized: "Sign in with the account that this link belongs to.",
  please_restart_the_process: "The sign-in took too long. Try again.",
  state_not_found: "The sign-in took too long. Try again.",
  access_denied: "You did not agree at the provider. Try again, or sign in another way.",
  banned_user: "This account is banned. Ask the operator of the exchange.",
  account_already_linked_to_different_user: "This sign-in already belongs to another account.",
  account_not_linked:
    "An account with this email exists. Sign in to it, then link the provider in your settings.",
  "email_doesn't_match": "The provider knows you under another email than this account has.",
  email_not_found: "The provider did not tell us an email address. Sign in another way.",
  email_not_verified: "Verify your email first: open the link that we sent you, then sign in.",
  invalid_code: "The provider did not confirm the sign-in. Try again in a moment.",
  no_code: "The provider did not confirm the sign-in. Try again in a moment.",
  signup_disabled: "New accounts cannot be created this way. Sign in another way.",
  unable_to_link_account: "The account could not be linked. Verify your email, then try again.",
  unable_to_get_user_info: "The provider did not say who you are. Try again later.",
  oauth_provider_not_found:
    "This provider is not offered here, or cannot be reached. Try again in a minute, or another way.",
  internal_server_error: "Something went wrong on our side. Try again in a moment.",
};

const OFFLINE = "The exchange cannot be reached. Check your connection and try again.";

/**
 * The data of a response to the auth client, for pages that show the error.
 * @throws AccountError with a sentence for the user if the request was refused or not answered
 */
export async function askAccounts<T>(answer: Promise<ClientAnswer<T>>): Promise<T> {
  try {
    return await accountAnswer(answer);
  } catch (error) {
    throw withMessage(error);
  }
}

function withMessage(error: unknown): unknown {
  // fetch throws a TypeError if there was no response.
  if (error instanceof TypeError) return new AccountError("OFFLINE", OFFLINE);
  if (!(error instanceof AccountError)) return error;
  return new AccountError(error.code, REFUSAL_TEXTS[error.code] ?? error.message);
}

/** The message for an error code in the page's URL. */
export function urlErrorSentence(code: string): string {
  const plain = code.toLowerCase().replaceAll(" ", "_");
  if (Object.hasOwn(URL_ERROR_TEXTS, plain)) return URL_ERROR_TEXTS[plain];
  return "The sign-in did not work. Try again.";
}

/** Whether the action was refused because the last sign-in is too old. */
export function needsNewSignIn(error: unknown): boolean {
  if (error instanceof AccountError) return NEW_SIGN_IN_CODES.has(error.code);
  return errorDataOf(error)?.code === "signInTooOld";
}

/**
 * Whether the second step of a sign-in has expired, so that the user has to enter the password
 * again.
 */
export function isStepOver(error: unknown): boolean {
  return error instanceof AccountError && STEP_OVER_CODES.has(error.code);
}

/** Whether the error concerns the new password and belongs beside that field. */
export function isAboutNewPassword(error: unknown): error is AccountError {
  return error instanceof AccountError && NEW_PASSWORD_CODES.has(error.code);
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof AccountError && error.code === code;
}
