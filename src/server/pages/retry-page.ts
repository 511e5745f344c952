/** The response while pages cannot be rendered: a page that says so and reloads itself. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHtml, htmlPage, sendHtml } from "../http/html.ts";
import { HttpError } from "../http/json-answer.ts";

/** The longest queue of one address is served within about this time. */
const RETRY_AFTER_SECONDS = 3;

/**
 * Sends a page that reloads itself.
 * @param reason a sentence about the missing part
 * @throws HttpError if the request is a script's, which cannot show a page
 */
export function sendRetryPage(
  request: IncomingMessage,
  response: ServerResponse,
  { productName, reason }: { readonly productName: string; readonly reason: string },
): void {
  response.setHeader("retry-after", RETRY_AFTER_SECONDS);
  if (!(request.headers.accept ?? "*/*").match(/text\/html|\*\/\*/)) {
    throw new HttpError(503, "unavailable", `${reason} Try again in a few seconds.`);
  }
  response.setHeader("refresh", RETRY_AFTER_SECONDS);
  const title = `${productName} is busy or unavailable`;
  const body =
    `<h1>${escapeHtml(productName)} will be back in a moment</h1>` +
    `<p role="status">${escapeHtml(reason)} This page tries again every few seconds.</p>`;
  sendHtml(response, 503, htmlPage(title, body));
}
