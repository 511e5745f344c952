/** The page that failed sign-ins through other providers and mail links end on. */
import { escapeHtml, htmlPage } from "./html.ts";

const DEFAULT_CODE = "Unknown";

/**
 * @param query of the request: `error` is the code, `error_description` a sentence for people.
 * Codes have letters, digits, `_`, `-` and `'` only; anything else is shown as the default.
 */
export function errorPage(query: URLSearchParams): string {
  const given = query.get("error") ?? "";
  const code = /^['A-Za-z0-9_-]{1,100}$/.test(given) ? given : DEFAULT_CODE;
  const description = (query.get("error_description") ?? "").slice(0, 500);
  return htmlPage(
    "Error",
    `<h1>Something went wrong</h1>` +
      `<p>The request could not be completed. The error code is <code>${escapeHtml(code)}</code>.</p>` +
      (description === "" ? "" : `<p>${escapeHtml(description)}</p>`) +
      `<p>Go back and try once more. If it happens again, tell the operator this code.</p>` +
      `<a class="button" href="/">Go home</a>`,
  );
}
