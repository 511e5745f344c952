/**
 * Requests that this process makes to its own port while it renders a page. They come from this
 * machine but count against the visitor of the page: a header carries the visitor's address with a
 * secret that only this process knows.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const ON_BEHALF_HEADER = "x-openbell-on-behalf-of";

export class OwnRequests {
  readonly #secret = randomBytes(32).toString("base64url");

  /** The header's value in a request for this visitor's page. */
  headerFor(address: string): string {
    return `${this.#secret} ${address}`;
  }

  /** The visitor whose page it is for; undefined if this process did not make the request. */
  visitorOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
    const [secret = "", address] = String(headers[ON_BEHALF_HEADER] ?? "").split(" ", 2);
    const given = Buffer.from(secret);
    const own = Buffer.from(this.#secret);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    return address;
  }
}
