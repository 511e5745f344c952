/** The page shown after failed sign-ins through other providers and failed mail links. */
import { escapeHtml, htmlPage } from "../../http/html.ts";

const DEFAULT_CODE = "Unknown";

const RESTART =
  "This sign-in was finished before, took longer than ten minutes, or was begun in another browser. " +
  "Begin it again.";
/** Advice by error code, if there is more than to try again. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  please_restart_the_process: RESTART,
  state_not_found: RESTART,
};
const TRY_AGAIN = "Go back and try once more. If it happens again, tell the operator this code.";

/**
 * @param query the request's query, which anyone can write into a link: of it only `error` is shown, the
 * code, and never a sentence such as `error_description`, which would look like the exchange's own. Codes have
 * letters, digits, `_`, `-` and `'` only, and are short; anything else is shown as the default code.
 */
export function errorPage(query: URLSearchParams): string {
  const given = query.get("error") ?? "";
  const code = /^['A-Za-z0-9_-]{1,100}$/.test(given) ? given : DEFAULT_CODE;
  const sentence = Object.hasOwn(ERROR_TEXTS, code) ? ERROR_TEXTS[code] : TRY_AGAIN;
  return htmlPage(
    "Error",
    `<h1>Something went wrong</h1>` +
      `<p>The request could not be completed. The error code is <code>${escapeHtml(code)}</code>.</p>` +
      `<p>${escapeHtml(sentence)}</p>` +
      `<a class="button" href="/login">Sign in</a> <a class="button" href="/">Go home</a>`,
  );
}
