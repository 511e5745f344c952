/**
 * Scripts of a market's states, as an operator would write them. One market, BTC-USD: a tick is a cent
 * per lot, fees are 10 bps for makers and 20 for takers. ann, bob, cat and dan have 10 000 USD and
 * 10 000 lots each.
 *
 *   the market is auction            also: "is halted for 30 s"; "for" if the state ends by itself
 *   30 s pass                        fires the timers that are due
 *   ann buys 3 at 100                "ioc", "fok", "post-only", "showing 2", "when 105" (a stop)
 *   ann buys 5 at market, ann spends 500 at market
 *   ann amends 1 to 5 at 101, ann cancels 1
 *   indicative                       the price and volume at which the book would be uncrossed now
 *   book, balances
 *
 * Lines starting with ">" are the expected results.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { uncrossingOf } from "#engine/markets/auction.ts";
import type { Command, MarketDefinition, MarketStatus, PlaceOrder } from "#engine/commands.ts";
import { createEngine, restoreEngine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { FEES_ACCOUNT, FIRST_USER_ACCOUNT } from "#engine/accounts/postings.ts";
import { coin, market, plan } from "./commands.ts";

const NAMES = ["ann", "bob", "cat", "dan"];
const FUNDS_USD = 1_000_000;
const FUNDS_BTC = 10_000;

export interface MarketScriptOptions {
  readonly terms: Partial<MarketDefinition>;
  /** Restores the engine from a snapshot before every line, so that a market's complete state must be in it. */
  readonly goesThroughSnapshots: boolean;
}

/** Runs the script's commands and returns the script with the actual results. */
export function runMarketScript(script: string, options: MarketScriptOptions): string {
  const session = new Session(options);
  const lines = script
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith(">"));
  return lines
    .flatMap((line) => [line, ...session.run(line).map((said) => `> ${said}`)])
    .join("\n");
}

class Session {
  #engine = createEngine();
  readonly #events = new EventBuffer();
  readonly #goesThroughSnapshots: boolean;
  #nowMs = 1_700_000_000_000;

  constructor({ terms, goesThroughSnapshots }: MarketScriptOptions) {
    this.#goesThroughSnapshots = goesThroughSnapshots;
    const steps = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount };
    const setting: Command[] = [
      { type: "listCoin", coin: coin("USD", 2) },
      { type: "listCoin", coin: coin("BTC", 2) },
      { type: "listMarket", market: market("BTC", { ...steps, ...terms }) },
      { type: "definePlan", plan: plan("free", { makerFeeBps: 10, takerFeeBps: 20 }) },
      ...NAMES.flatMap((userId, index): Command[] => {
        const fund = { type: "fundParticipant", account: FIRST_USER_ACCOUNT + index } as const;
        return [
          { type: "openAccount", userId, kind: "participant" },
          { ...fund, assetId: 1, amount: FUNDS_USD as Amount },
          { ...fund, assetId: 2, amount: FUNDS_BTC as Amount },
        ];
      }),
    ];
    for (const command of setting) this.#apply(command);
  }

  run(line: string): string[] {
    if (line === "book") return this.#book();
    if (line === "balances") return this.#balances();
    if (line === "indicative") return this.#indicative();
    const passing = /^(\d+) s pass$/.exec(line);
    if (passing !== null) {
      this.#nowMs += Number(passing[1]) * 1000;
      const events = this.#apply({ type: "advanceTime" });
      return events.filter(({ type }) => type !== "timeAdvanced").map(describe);
    }
    return this.#apply(parse(line)).map(describe);
  }

  #apply(command: Command): ExchangeEvent[] {
    this.#events.clear();
    this.#engine.apply(this.#engine.sequence + 1, this.#nowMs, "", command, this.#events);
    this.#engine.read.checkInvariants();
    if (this.#goesThroughSnapshots) this.#engine = restoreEngine(this.#engine.snapshot());
    return this.#events.decode();
  }

  #book(): string[] {
    const { read } = this.#engine;
    const levels = (side: "buy" | "sell") =>
      read.bookLevels(1, side).map((level) => `${side} ${level.priceTicks}: ${level.quantityLots}`);
    const lines = [...levels("sell").reverse(), ...levels("buy")];
    return lines.length === 0 ? ["empty"] : lines;
  }

  #indicative(): string[] {
    const levels = (side: "buy" | "sell") => {
      const lots = new Map<number, number>();
      for (const { priceTicks, remainingLots } of this.#engine.read.bookOrders(1, side)) {
        lots.set(priceTicks, (lots.get(priceTicks) ?? 0) + remainingLots);
      }
      return [...lots].map(([priceTicks, there]) => ({ priceTicks, lots: there }));
    };
    const { lastTicks } = this.#engine.read.marketState(1);
    const found = uncrossingOf(levels("buy"), levels("sell"), lastTicks);
    return [found === undefined ? "nothing" : `${found.volumeLots} at ${found.priceTicks}`];
  }

  /** Each account's change since the beginning. */
  #balances(): string[] {
    const change = (account: number, assetId: number, funds: number) => {
      const { available, held } = this.#engine.read.balance(account, assetId);
      const difference = available + held - funds;
      return `${difference > 0 ? "+" : ""}${difference}${held === 0 ? "" : ` (${held} held)`}`;
    };
    const line = (name: string, account: number, usd: number, btc: number) =>
      `${name}: USD ${change(account, 1, usd)}, BTC ${change(account, 2, btc)}`;
    return [
      ...NAMES.map((name, index) => line(name, FIRST_USER_ACCOUNT + index, FUNDS_USD, FUNDS_BTC)),
      line("fees", FEES_ACCOUNT, 0, 0),
    ].filter((said) => !said.endsWith("USD 0, BTC 0"));
  }
}

function parse(line: string): Command {
  const words = line.split(" ");
  const [name, verb] = words;
  const account = FIRST_USER_ACCOUNT + NAMES.indexOf(name);
  const after = (word: string) =>
    words.includes(word) ? Number(words[words.indexOf(word) + 1]) : undefined;
  if (verb === "market") {
    return {
      type: "setMarketStatus",
      marketId: 1,
      status: words[3] as MarketStatus,
      forMs: (after("for") ?? 0) * 1000,
      byAdmin: "olga",
      reason: "a test",
    };
  }
  if (verb === "cancels") return { type: "cancelOrder", account, orderId: Number(words[2]) };
  if (verb === "amends") {
    const [orderId, , quantityLots, , priceTicks] = words.slice(2).map(Number);
    return {
      type: "amendOrder",
      account,
      orderId,
      priceTicks: priceTicks as Ticks,
      quantityLots: quantityLots as Lots,
    };
  }
  const isMarket = words[4] === "market";
  const isByQuote = verb === "spends";
  const displayLots = after("showing");
  const triggerTicks = after("when");
  const order: PlaceOrder = {
    type: "placeOrder",
    account,
    marketId: 1,
    side: verb === "sells" ? "sell" : "buy",
    orderType: isMarket ? "market" : "limit",
    timeInForce: isMarket || words.includes("ioc") ? "ioc" : words.includes("fok") ? "fok" : "gtc",
    postOnly: words.includes("post-only"),
    priceTicks: (isMarket ? 0 : Number(words[4])) as Ticks,
    quantityLots: (isByQuote ? 0 : Number(words[2])) as Lots,
    quoteAmount: (isByQuote ? Number(words[2]) : 0) as Amount,
    clientOrderId: "",
    ...(displayLots !== undefined && { conditions: { displayLots: displayLots as Lots } }),
    ...(triggerTicks !== undefined && {
      conditions: { trigger: { kind: "stop", triggerTicks: triggerTicks as Ticks } },
    }),
  };
  return order;
}

function describe(event: ExchangeEvent): string {
  const nameOf = (account: number) => NAMES[account - FIRST_USER_ACCOUNT];
  switch (event.type) {
    case "commandRejected":
      return `refused: ${event.reason}`;
    case "orderPlaced":
      return `${event.orderId} placed, ${event.heldAmount} held`;
    case "traded": {
      const { auction, takerReleased } = event;
      const released = takerReleased + (auction?.makerReleased ?? 0);
      return (
        `${event.quantityLots} at ${event.priceTicks}: ` +
        `${nameOf(event.makerAccount)} pays ${event.makerFee}, ` +
        `${nameOf(event.takerAccount)} pays ${event.takerFee}` +
        (released === 0 ? "" : `, ${released} released`)
      );
    }
    case "orderRested":
      return `${event.orderId} rests with ${event.remainingLots}`;
    case "orderWaiting":
      return `${event.orderId} waits for ${event.triggerTicks}`;
    case "orderActivated":
      return `${event.orderId} activated`;
    case "icebergRefilled":
      return `${event.orderId} shows ${event.visibleLots}`;
    case "orderAmended":
      return `${event.orderId} amended`;
    case "orderEnded":
      return (
        `${event.orderId} ${event.status}` +
        (event.reason === "filled" || event.reason === "byOwner" ? "" : ` (${event.reason})`) +
        (event.releasedAmount === 0 ? "" : `, ${event.releasedAmount} released`)
      );
    case "marketStatusChanged": {
      const { cause, status, timestampMs, untilMs } = event;
      const by = cause === "admin" ? "" : ` by the ${cause}`;
      const seconds = (untilMs - timestampMs) / 1000;
      return `the market is ${status}${by}${untilMs === 0 ? "" : ` for ${seconds} s`}`;
    }
    case "auctionUncrossed":
      return `uncrossed: ${event.volumeLots} at ${event.priceTicks}, surplus ${event.surplusLots}`;
    default:
      return event.type;
  }
}
