/**
 * Requests that this process makes to its own port while it renders a page. They come from this machine,
 * and count for the visitor whose page it is: a header names the visitor's address behind a secret that
 * only this process knows.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const ON_BEHALF_HEADER = "x-openbell-on-behalf-of";

export class OwnRequests {
  readonly #secret = randomBytes(32).toString("base64url");

  /** What the header says in a request for this visitor's page. */
  headerFor(address: string): string {
    return `${this.#secret} ${address}`;
  }

  /** For which visitor's page it is; undefined if it is no request of this process. */
  visitorOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
    const [secret = "", address] = String(headers[ON_BEHALF_HEADER] ?? "").split(" ", 2);
    const given = Buffer.from(secret);
    const own = Buffer.from(this.#secret);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    return address;
  }
}
