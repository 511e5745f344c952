/** Limits an address's concurrent requests, and the bytes of responses that it leaves unread. */
import type { ServerResponse } from "node:http";
import { clientKeyOf } from "../limits/client-key.ts";
import type { ClientKey } from "../limits/client-key.ts";
import type { HeldBytes, Holding } from "../limits/held-bytes.ts";
import { HttpError } from "./json-answer.ts";

export class ClientRequests {
  readonly #perAddressMax: number;
  readonly #held: HeldBytes;
  readonly #underWay = new Map<ClientKey, number>();

  constructor(perAddressMax: number, held: HeldBytes) {
    this.#perAddressMax = perAddressMax;
    this.#held = held;
  }

  /**
   * Counts a request until its response has been sent or its connection has closed.
   * @returns a function to call after answering, which counts the unread bytes of the response
   * @throws HttpError 429 if too many requests are in progress
   */
  begin(response: ServerResponse, address: string): () => void {
    const client = clientKeyOf(undefined, address);
    const underWay = this.#underWay.get(client) ?? 0;
    if (underWay >= this.#perAddressMax) {
      response.setHeader("retry-after", "1");
      const message = "Too many requests of your address are under way. Try again shortly.";
      throw new HttpError(429, "tooManyRequests", message);
    }
    this.#underWay.set(client, underWay + 1);
    let holding: Holding | undefined;
    response.on("close", () => {
      holding?.close();
      const left = (this.#underWay.get(client) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(client);
      else this.#underWay.set(client, left);
    });
    return () => {
      const unread = response.writableLength;
      if (unread === 0 || response.closed) return;
      holding = this.#held.open(client, () => response.destroy());
      holding.set(unread);
    };
  }
}
