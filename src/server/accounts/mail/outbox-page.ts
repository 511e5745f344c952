/**
 * The outbox as pages, in development only. Its mails contain sign-in links, so only a browser on
 * the same machine may see it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import { escapeHtml, htmlPage, sendHtml } from "../../http/html.ts";
import type { OutboxMailsTable } from "../../database/accounts-tables.ts";
import type { Outbox } from "./outbox.ts";

export async function answerOutbox(
  outbox: Outbox,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (!isFromThisMachine(request)) {
    const sentence = "The outbox is shown to a browser on the machine that runs the exchange only.";
    sendHtml(response, 403, htmlPage("Outbox", `<h1>Outbox</h1><p>${sentence}</p>`));
    return;
  }
  if (path === "/outbox" || path === "/outbox/") {
    sendHtml(response, 200, listPage(await outbox.list()));
    return;
  }
  const mail = await outbox.find(path.slice("/outbox/".length));
  if (mail === null) {
    const back = `<a class="button" href="/outbox">All mails</a>`;
    sendHtml(response, 404, htmlPage("Outbox", `<h1>No such mail</h1>${back}`));
    return;
  }
  sendHtml(response, 200, mailPage(mail));
}

const FORWARDING_HEADERS = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Checks the client's address, the requested host name (a foreign name may resolve to this machine
 * too), and that the request came through no proxy, behind which every client has this machine's
 * address.
 */
function isFromThisMachine(request: IncomingMessage): boolean {
  const { headers } = request;
  const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
  if (isForwarded) return false;
  const header = request.headers[CLIENT_ADDRESS_HEADER];
  const address = (typeof header === "string" ? header : request.socket.remoteAddress) ?? "";
  const host = (request.headers.host ?? "").replace(/:\d+$/, "");
  return (
    /^(127\.|::ffff:127\.|::1$)/.test(address) &&
    ["localhost", "127.0.0.1", "[::1]"].includes(host.toLowerCase())
  );
}

function listPage(mails: readonly OutboxMailsTable[]): string {
  const rows = mails.map(
    (mail) =>
      `<tr><td>${escapeHtml(mail.recipient)}</td>` +
      `<td><a href="/outbox/${escapeHtml(mail.id)}">${escapeHtml(mail.subject)}</a></td>` +
      `<td>${timeOf(mail)}</td></tr>`,
  );
  return htmlPage(
    "Outbox",
    `<h1>Outbox</h1><p>Mail that was not sent, because no SMTP server is configured.</p>` +
      (rows.length === 0
        ? `<p>It is empty. Sign up or ask for a new password, and the mail appears here.</p>`
        : `<table><thead><tr><th>To</th><th>Subject</th><th>Time (UTC)</th></tr></thead>` +
          `<tbody>${rows.join("")}</tbody></table>`),
  );
}

function mailPage(mail: OutboxMailsTable): string {
  return htmlPage(
    mail.subject,
    `<p><a href="/outbox">All mails</a></p><h1>${escapeHtml(mail.subject)}</h1>` +
      `<p>To ${escapeHtml(mail.recipient)}, ${timeOf(mail)} UTC</p>` +
      `<pre>${withLinks(mail.text)}</pre>`,
  );
}

function timeOf(mail: OutboxMailsTable): string {
  return new Date(mail.created_at_ms).toISOString().slice(0, 19).replace("T", " ");
}

function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, position) => {
      const escaped = escapeHtml(part);
      return position % 2 === 1 ? `<a href="${escaped}">${escaped}</a>` : escaped;
    })
    .join("");
}
