/**
 * A small exchange with the default catalogue, read models over it, and readable commands: prices and
 * quantities as decimals, users by name.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { MarketDefinition, PlaceOrder, Side } from "#engine/commands.ts";
import { parseDecimal } from "#contract/decimal.ts";
import { COINS } from "#server/catalogue/coins.ts";
import { SIMULATED_MARKETS, marketDefinition } from "#server/catalogue/markets.ts";
import { PLANS } from "#server/catalogue/plans.ts";
import { Views, type ViewsOptions } from "#server/views/views.ts";
import { type InProcessExchange, createInProcessExchange } from "./in-process-exchange.ts";

/** A Monday, 2 November 2026, 09:30 UTC. */
export const SCENE_START = Date.UTC(2026, 10, 2, 9, 30);

export interface Scene {
  readonly exchange: InProcessExchange;
  readonly views: Views;
  /** Opens the account of a user or participant and credits the given coins. */
  open(userId: string, coins?: Record<string, string>): number;
  place(order: SceneOrder): ReturnType<InProcessExchange["run"]>;
  wait(milliseconds: number): void;
}

export interface SceneOrder {
  readonly account: number;
  readonly side: Side;
  readonly market?: string;
  /** Without a price, a market order. */
  readonly price?: string;
  readonly quantity?: string;
  readonly quoteAmount?: string;
  readonly changes?: Partial<PlaceOrder>;
  readonly idempotencyKey?: string;
}

export function createScene(options: ViewsOptions = {}): Scene {
  const exchange = createInProcessExchange(SCENE_START);
  const views = new Views({ now: () => exchange.timeMs, ...options });
  exchange.subscribe((events) => views.fold(events));
  const insist = (...run: Parameters<InProcessExchange["run"]>) => {
    const outcome = exchange.run(...run);
    if (outcome.rejected !== undefined) throw new Error(`${run[0].type}: ${outcome.rejected}`);
    return outcome;
  };
  for (const coin of COINS) insist({ type: "listCoin", coin });
  for (const plan of PLANS) insist({ type: "definePlan", plan });
  for (const market of SIMULATED_MARKETS) {
    insist({ type: "listMarket", market: withoutPriceLimits(marketDefinition(market, true)) });
  }

  return {
    exchange,
    views,
    open(userId, coins = {}) {
      const kind = userId.startsWith("simulated:") ? "participant" : "person";
      insist({ type: "openAccount", userId, kind });
      const account = views.accounts.ofUser(userId)?.account;
      if (account === undefined) throw new Error(`${userId} has no account`);
      for (const [symbol, text] of Object.entries(coins)) {
        const coin = views.catalogue.coinBySymbol(symbol);
        if (coin === undefined) throw new Error(`no coin ${symbol}`);
        const { assetId } = coin;
        const amount = Number(parseDecimal(text, coin.definition.scale)) as Amount;
        const type = kind === "person" ? "takePracticeFunds" : "fundParticipant";
        insist({ type, account, assetId, amount });
      }
      return account;
    },
    place(order) {
      return exchange.run(placeOrderCommand(views, order), order.idempotencyKey);
    },
    wait(milliseconds) {
      exchange.timeMs += milliseconds;
    },
  };
}

/** For scenes whose prices move beyond the catalogue's limits. */
export function withoutPriceLimits(market: MarketDefinition): MarketDefinition {
  const {
    priceBandBps: _band,
    passiveBandBps: _passive,
    breaker: _breaker,
    referenceTicks: _reference,
    ...rest
  } = market;
  return rest;
}

/** The command for a scene's order. */
export function placeOrderCommand(views: Views, order: SceneOrder): PlaceOrder {
  const { account, side, market: symbol = "BTC-USD", price, quantity, quoteAmount } = order;
  const market = views.catalogue.marketBySymbol(symbol);
  if (market === undefined) throw new Error(`no market ${symbol}`);
  const steps = (text: string | undefined, decimals: number) =>
    text === undefined ? 0 : Number(parseDecimal(text, decimals));
  return {
    type: "placeOrder",
    account,
    marketId: market.marketId,
    side,
    orderType: price === undefined ? "market" : "limit",
    timeInForce: price === undefined ? "ioc" : "gtc",
    postOnly: false,
    priceTicks: steps(price, market.priceDecimals) as Ticks,
    quantityLots: steps(quantity, market.quantityDecimals) as Lots,
    quoteAmount: steps(quoteAmount, market.quote.scale) as Amount,
    clientOrderId: "",
    ...order.changes,
  };
}
