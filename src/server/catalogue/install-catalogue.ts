/**
 * Lists the coins, markets and plans of the catalogue that the exchange does not have yet. It may be
 * cut off anywhere and run again: what is there already is left as it is.
 */
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { COINS } from "./coins.ts";
import { SIMULATED_MARKETS, marketDefinition } from "./markets.ts";
import { PLANS } from "./plans.ts";

/** Symbols and slugs that are known; fed with every event from the first on. */
export class ListedCatalogue {
  readonly coins = new Set<string>();
  readonly markets = new Set<string>();
  readonly plans = new Set<string>();

  fold(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === "coinListed") this.coins.add(event.coin.symbol);
      else if (event.type === "marketListed") this.markets.add(event.market.symbol);
      else if (event.type === "planDefined") this.plans.add(event.plan.slug);
    }
  }
}

/**
 * @param simulated whether the markets' counterparties are simulated, shown as a label
 * @throws Error when the engine refuses a definition, which is a mistake in the catalogue
 */
export async function installCatalogue(
  exchange: Exchange,
  listed: ListedCatalogue,
  simulated: boolean,
): Promise<void> {
  // Plans first: an account gets the first plan when it is opened.
  const commands: Command[] = [
    ...PLANS.filter((plan) => !listed.plans.has(plan.slug)).map((plan): Command => ({
      type: "definePlan",
      plan,
    })),
    ...COINS.filter((coin) => !listed.coins.has(coin.symbol)).map((coin): Command => ({
      type: "listCoin",
      coin,
    })),
    ...SIMULATED_MARKETS.filter((market) => !listed.markets.has(market.symbol)).map(
      (market): Command => ({ type: "listMarket", market: marketDefinition(market, simulated) }),
    ),
  ];
  const outcomes = await Promise.all(commands.map((command) => exchange.submit(command)));
  outcomes.forEach((outcome, index) => {
    if (outcome.rejected === undefined) return;
    throw new Error(`the catalogue's ${commands[index].type} was refused: ${outcome.rejected}`);
  });
}
