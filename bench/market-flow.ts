/**
 * Markets and a lively flow of orders through them, for the benchmarks that need real commands: about
 * 56 % limit orders, most of them resting, 34 % cancels of open orders, 10 % immediate-or-cancel orders.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { CoinDefinition, Command, PlaceOrder } from "#engine/commands.ts";
import { seededRandom } from "./flow.ts";

const MID_TICKS = 50_000;

/** Returns integers from 0 to below `limit`. */
export type RandomBelow = (limit: number) => number;

export function randomBelow(seed: number): RandomBelow {
  const random = seededRandom(seed);
  return (limit) => Math.floor(random() * limit);
}

/** Lists the coins, the first of which is the quote of all markets, a plan and the markets. */
export function listMarkets(markets: number): Command[] {
  const coin = (symbol: string, kind: CoinDefinition["kind"], scale: number): Command => ({
    type: "listCoin",
    coin: {
      symbol,
      name: symbol,
      kind,
      status: "listed",
      scale,
      displayDecimals: 2,
      description: "",
      website: "",
      riskNote: "",
    },
  });
  const commands: Command[] = [
    coin("USD", "fiat", 6),
    {
      type: "definePlan",
      plan: {
        slug: "free",
        name: "Free",
        description: "",
        position: 1,
        makerFeeBps: 10,
        takerFeeBps: 15,
        price: "0",
        interval: "none",
        eligibility: "everyone",
        volumeMin: "0",
        openOrdersMax: 1_000_000,
        features: [],
      },
    },
  ];
  for (let index = 1; index <= markets; index++) {
    commands.push(coin(`C${index}`, "crypto", 8), {
      type: "listMarket",
      market: {
        symbol: `C${index}-USD`,
        base: `C${index}`,
        quote: "USD",
        lotUnits: 1000,
        tickLotUnits: 10,
        notionalMin: 1 as Amount,
        quantityLotsMax: 1_000_000 as Lots,
        status: "trading",
        simulated: true,
      },
    });
  }
  return commands;
}

/** Opens a participant's account with the same amount of every coin. */
export function openParticipant(
  account: number,
  userId: string,
  markets: number,
  amount: number,
): Command[] {
  const commands: Command[] = [{ type: "openAccount", userId, kind: "participant" }];
  for (let assetId = 1; assetId <= markets + 1; assetId++) {
    commands.push({ type: "fundParticipant", account, assetId, amount: amount as Amount });
  }
  return commands;
}

export interface MarketFlowOptions {
  readonly random: RandomBelow;
  readonly markets: number;
  /** Target of resting orders over all markets; the actual number hovers around it. */
  readonly restingOrders: number;
  /** Picks the trader of the next order. */
  readonly trader: () => Pick<PlaceOrder, "account" | "clientOrderId">;
}

/** Generates commands and follows their events, so that cancels name open orders. */
export class MarketFlow {
  readonly #options: MarketFlowOptions;
  readonly #open: { orderId: number; account: number }[] = [];
  readonly #places = new Map<number, number>();

  constructor(options: MarketFlowOptions) {
    this.#options = options;
  }

  get openCount(): number {
    return this.#open.length;
  }

  next(): Command {
    const { random, restingOrders } = this.#options;
    const dice = random(100);
    if (dice < 10) return this.#order("ioc", -random(20));
    if (this.#open.length > restingOrders * (dice < 44 ? 0.9 : 1.1)) {
      return { type: "cancelOrder", ...this.#open[random(this.#open.length)] };
    }
    return this.resting();
  }

  /** A limit order at a random distance from the mid price; smaller distances are likelier. */
  resting(): Command {
    const { random } = this.#options;
    return this.#order("gtc", 1 + Math.floor((random(1000) * random(1000)) / 2000));
  }

  follow(event: { type: string; orderId?: number; account?: number }): void {
    const { orderId = 0, account = 0 } = event;
    if (event.type === "orderRested") {
      this.#places.set(orderId, this.#open.length);
      this.#open.push({ orderId, account });
    } else if (event.type === "orderEnded") this.#close(orderId);
  }

  #close(orderId: number): void {
    const place = this.#places.get(orderId);
    const last = this.#open.at(-1);
    if (place === undefined || last === undefined) return;
    this.#open.pop();
    this.#places.delete(orderId);
    if (last.orderId === orderId) return;
    this.#open[place] = last;
    this.#places.set(last.orderId, place);
  }

  #order(timeInForce: "gtc" | "ioc", ticksFromMid: number): Command {
    const { markets, random, trader } = this.#options;
    const isBuy = random(2) === 0;
    return {
      type: "placeOrder",
      ...trader(),
      marketId: 1 + random(markets),
      side: isBuy ? "buy" : "sell",
      orderType: "limit",
      timeInForce,
      postOnly: false,
      priceTicks: (MID_TICKS + (isBuy ? -ticksFromMid : ticksFromMid)) as Ticks,
      quantityLots: (1 + random(100)) as Lots,
      quoteAmount: 0 as Amount,
    };
  }
}
