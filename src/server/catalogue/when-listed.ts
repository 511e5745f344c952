import { setTimeout as delay } from "node:timers/promises";
import { ExchangeStoppedError } from "../exchange/exchange-errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { ListedCatalogue } from "./install-catalogue.ts";

const POLL_MS = 100;

/**
 * Resolves when the catalogue is listed, which the leader may be doing at this moment.
 * @throws ExchangeStoppedError if the exchange stops before that
 */
export async function whenListed(
  listed: Pick<ListedCatalogue, "workLimit">,
  exchange: Pick<Exchange, "health">,
): Promise<void> {
  while (listed.workLimit === undefined) {
    const { failure } = exchange.health();
    if (failure !== undefined) throw new ExchangeStoppedError(failure);
    // oxlint-disable-next-line no-await-in-loop -- looks again after a while
    await delay(POLL_MS);
  }
}
