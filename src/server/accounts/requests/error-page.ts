/** The page shown after failed sign-ins through other providers and failed mail links. */
import { escapeHtml, htmlPage } from "../../http/html.ts";

const DEFAULT_CODE = "Unknown";

const RESTART =
  "This sign-in was finished before, took longer than ten minutes, or was begun in another browser. " +
  "Begin it again.";
/**
 * The codes with which sign-ins through providers and mail links end here: the library's and this
 * server's, and those by which OAuth 2 and OpenID Connect let a provider refuse.
 */
const CODES: ReadonlySet<string> = new Set([
  "access_denied",
  "account_already_linked_to_different_user",
  "account_not_linked",
  "account_selection_required",
  "banned_user",
  "consent_required",
  "email_does_not_match",
  "email_doesn't_match",
  "email_not_found",
  "email_not_verified",
  "interaction_required",
  "internal_server_error",
  "invalid_callback_request",
  "invalid_code",
  "invalid_request",
  "invalid_scope",
  "invalid_token",
  "issuer_mismatch",
  "issuer_missing",
  "login_required",
  "no_callback_url",
  "no_code",
  "nonce_binding_missing",
  "oauth_provider_not_found",
  "please_restart_the_process",
  "server_error",
  "signup_disabled",
  "state_generation_error",
  "state_invalid",
  "state_mismatch",
  "state_not_found",
  "state_security_mismatch",
  "temporarily_unavailable",
  "token_expired",
  "unable_to_create_session",
  "unable_to_create_user",
  "unable_to_get_user_info",
  "unable_to_link_account",
  "unable_to_update_account",
  "unauthorized_client",
  "unsupported_response_type",
  "user_not_found",
]);
/** Advice by error code, if there is more than to try again. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  please_restart_the_process: RESTART,
  state_not_found: RESTART,
};
const TRY_AGAIN = "Go back and try once more. If it happens again, tell the operator this code.";

/**
 * @param query the request's query, which anyone can write into a link: of it only `error` is shown, if it
 * is a code that the exchange uses. Everything else could be a sentence that looks like the exchange's own,
 * words joined by `_` too.
 */
export function errorPage(query: URLSearchParams): string {
  const given = query.get("error") ?? "";
  const code = CODES.has(given.toLowerCase()) ? given : DEFAULT_CODE;
  const sentence = Object.hasOwn(ERROR_TEXTS, code) ? ERROR_TEXTS[code] : TRY_AGAIN;
  return htmlPage(
    "Error",
    `<h1>Something went wrong</h1>` +
      `<p>The request could not be completed. The error code is <code>${escapeHtml(code)}</code>.</p>` +
      `<p>${escapeHtml(sentence)}</p>` +
      `<a class="button" href="/login">Sign in</a> <a class="button" href="/">Go home</a>`,
  );
}
