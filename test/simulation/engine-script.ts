/**
 * A session at the exchange as a trader would write it down. One market, BTC-USD: a tick is a cent
 * per lot of 0.01 BTC, so that price and quantity multiply to whole numbers; fees 10 bps for makers
 * and 20 bps for takers, in whole units, rounded up.
 *
 *   ann buys 3 at 100              a limit order, good till cancelled
 *   bob sells 2 at 99 ioc          also: fok, post-only; "as <id>" gives a client order id
 *   ann buys 5 at market           by quantity
 *   ann spends 500 at market       by quote amount; "receives" for a sell
 *   ann cancels 1                  an order id
 *   ann cancels all
 *   a day passes                   three days pass
 *
 * Lines starting with ">" say what happened, as the engine's events; "book" and "balances" print the
 * state. `runScript` returns the script with those lines as they really are.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { FEES_ACCOUNT } from "#engine/postings.ts";
import { coin, market, plan } from "./engine-commands.ts";

const NAMES = ["ann", "bob", "cat"];
const FIRST_ACCOUNT = 16;
const FUNDS_USD = 100_000;
const FUNDS_BTC = 1000;
const DAY_MS = 86_400_000;

export interface ScriptOptions {
  readonly openOrdersMax?: number;
}

/** Runs the commands of a script and returns it with what they really led to. */
export function runScript(script: string, options: ScriptOptions = {}): string {
  const session = new Session(options);
  const lines = script
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith(">"));
  return lines
    .flatMap((line) => [line, ...session.run(line).map((said) => `> ${said}`)])
    .join("\n");
}

/** The same script with its lines trimmed, to compare with. */
export function scriptText(script: string): string {
  return script
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

class Session {
  readonly #engine: Engine = createEngine();
  readonly #events = new EventBuffer();
  #nowMs = 1_700_000_000_000;

  constructor({ openOrdersMax = 10 }: ScriptOptions) {
    const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 10 as Amount };
    const setting: Command[] = [
      { type: "listCoin", coin: coin("USD", 2) },
      { type: "listCoin", coin: coin("BTC", 2) },
      { type: "listMarket", market: market("BTC", { ...terms, quantityLotsMax: 1000 as Lots }) },
      {
        type: "definePlan",
        plan: plan("free", { makerFeeBps: 10, takerFeeBps: 20, openOrdersMax }),
      },
      ...NAMES.flatMap((userId, index): Command[] => {
        const account = FIRST_ACCOUNT + index;
        const fund = { type: "fundParticipant", account } as const;
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
    const passing = /^(a|three) days? pass(es)?$/.exec(line);
    if (passing !== null) {
      this.#nowMs += (passing[1] === "a" ? 1 : 3) * DAY_MS;
      return [];
    }
    return this.#apply(parse(line)).map(describe);
  }

  #apply(command: Command): ExchangeEvent[] {
    this.#events.clear();
    this.#engine.apply(this.#engine.sequence + 1, this.#nowMs, "", command, this.#events);
    this.#engine.read.checkInvariants();
    return this.#events.decode();
  }

  #book(): string[] {
    const { read } = this.#engine;
    const asks = read.bookLevels(1, "sell").reverse();
    const levels = (side: string, list: typeof asks) =>
      list.map(({ priceTicks, quantityLots }) => `${side} ${priceTicks}: ${quantityLots}`);
    const lines = [...levels("sell", asks), ...levels("buy", read.bookLevels(1, "buy"))];
    return lines.length === 0 ? ["empty"] : lines;
  }

  /** What each has beyond the beginning; "+" stands before what is held. */
  #balances(): string[] {
    const line = (name: string, account: number, usd: number, btc: number) => {
      const balance = (assetId: number, funds: number) => {
        const { available, held } = this.#engine.read.balance(account, assetId);
        const change = available + held - funds;
        const sign = change > 0 ? "+" : "";
        return `${sign}${change}${held === 0 ? "" : ` (${held} held)`}`;
      };
      return `${name}: USD ${balance(1, usd)}, BTC ${balance(2, btc)}`;
    };
    return [
      ...NAMES.map((name, index) => line(name, FIRST_ACCOUNT + index, FUNDS_USD, FUNDS_BTC)),
      line("fees", FEES_ACCOUNT, 0, 0),
    ];
  }
}

function parse(line: string): Command {
  const [name = "", verb = "", ...words] = line.split(" ");
  const account = FIRST_ACCOUNT + NAMES.indexOf(name);
  if (verb === "cancels") {
    return words[0] === "all"
      ? { type: "cancelAllOrders", account, marketId: 0 }
      : { type: "cancelOrder", account, orderId: Number(words[0]) };
  }
  const [amount, , price, ...rest] = words;
  const isMarket = price === "market";
  const isByQuote = verb === "spends" || verb === "receives";
  const order: PlaceOrder = {
    type: "placeOrder",
    account,
    marketId: 1,
    side: verb === "buys" || verb === "spends" ? "buy" : "sell",
    orderType: isMarket ? "market" : "limit",
    timeInForce: isMarket || rest.includes("ioc") ? "ioc" : rest.includes("fok") ? "fok" : "gtc",
    postOnly: rest.includes("post-only"),
    priceTicks: (isMarket ? 0 : Number(price)) as Ticks,
    quantityLots: (isByQuote ? 0 : Number(amount)) as Lots,
    quoteAmount: (isByQuote ? Number(amount) : 0) as Amount,
    clientOrderId: rest.includes("as") ? rest[rest.indexOf("as") + 1] : "",
  };
  return order;
}

function describe(event: ExchangeEvent): string {
  const nameOf = (account: number) => NAMES[account - FIRST_ACCOUNT];
  switch (event.type) {
    case "commandRejected":
      return `refused: ${event.reason}`;
    case "requestRepeated":
      return `already placed as ${event.orderId}`;
    case "orderPlaced":
      return `${event.orderId} placed, ${event.heldAmount} held`;
    case "traded": {
      const { makerAccount, takerAccount, makerFee, takerFee } = event;
      return (
        `${event.quantityLots} at ${event.priceTicks} with ${event.makerOrderId}: ` +
        `${nameOf(takerAccount)} pays ${takerFee}, ${nameOf(makerAccount)} pays ${makerFee}` +
        (event.takerReleased === 0 ? "" : `, ${event.takerReleased} released`)
      );
    }
    case "orderRested":
      return `${event.orderId} rests with ${event.remainingLots}`;
    case "orderEnded":
      return (
        `${event.orderId} ${event.status}` +
        (event.remainingLots === 0 ? "" : `, ${event.remainingLots} left`) +
        (event.releasedAmount === 0 ? "" : `, ${event.releasedAmount} released`)
      );
    default:
      return event.type;
  }
}
