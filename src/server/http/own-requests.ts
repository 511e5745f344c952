/**
 * Identifies requests that this process makes to itself while it renders a page. They count against
 * the page's visitor: a header carries the visitor's address with a secret that only this process
 * knows.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const ON_BEHALF_HEADER = "x-openbell-on-behalf-of";

export class OwnRequests {
  readonly #secret = randomBytes(32).toString("base64url");

  /** The header's value for requests made while rendering this visitor's page. */
  headerFor(address: string): string {
    return `${this.#secret} ${address}`;
  }

  /**
   * The address of the visitor whose page is rendered; undefined if the request is not from this
   * process.
   */
  visitorOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
    const header = headers[ON_BEHALF_HEADER];
    // It is rarely present.
    if (header === undefined) return undefined;
    const [secret = "", address] = String(header).split(" ", 2);
    const given = Buffer.from(secret);
    const own = Buffer.from(this.#secret);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    return address;
  }
}
