/**
 * Scripts of a trading session, as a trader would write them. One market, BTC-USD: a tick is a cent per
 * lot of 0.01 BTC, so that price and quantity multiply to whole numbers; fees 10 bps for makers and 20
 * bps for takers, in whole units, rounded up.
 *
 *   ann buys 3 at 100              a limit order, good till cancelled
 *   bob sells 2 at 99 ioc          also: fok, post-only; "as <id>" gives a client order id
 *   ann buys 5 at market           by quantity
 *   ann spends 500 at market       by quote amount; "receives" for a sell
 *   ann buys 3 at 100 until 60s    good till that long from now
 *   ann buys 9 at 100 showing 3    an iceberg
 *   ann buys 3 at 100 valid 2s     a time limit of 2 s from now; "valid -1s" is too late
 *   ann sells 3 at 95 stop 98      also: take-profit 98, trail 500 (bps), all at market too
 *   ann buys 3 at 100 or expire-maker    self-trade prevention; also expire-both, decrement
 *   ann amends 1 to 5 at 99        the new total quantity, the new price, or one of them; of an order
 *                                  that waits also "stop 90", "trail 300" and "spending 400"
 *   ann amends 1 to 5 as of old    as in journals of earlier versions, which amended few kinds of orders
 *   ann replaces 1: buys 3 at 99   "replaces or places" places the order even if there is none to replace
 *   ann lists oco: sells 3 at 110 | sells 3 at 85 stop 90      also oto, otoco
 *   ann cancels 1                  an order id
 *   ann cancels all                "all buys", "all sells"
 *   ann cancels all after 10s      the cancel timer; "after 0s" disarms it
 *   the market is halted for 30s   the market's state; "for" if it ends by itself
 *   time passes 60s                and "time advances" fires the timers that are due
 *   a day passes                   three days pass
 *
 * Lines starting with ">" are the expected results, as the engine's events; "book" and "balances" print
 * the state. `runScript` returns the script with the actual results.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type {
  Command,
  MarketDefinition,
  MarketStatus,
  OrderConditions,
  OrderListKind,
  OrderTerms,
  SelfTradePrevention,
  TimeLimited,
} from "#engine/commands.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { FEES_ACCOUNT } from "#engine/accounts/postings.ts";
import { coin, market, plan } from "./commands.ts";

const NAMES = ["ann", "bob", "cat"];
const FIRST_ACCOUNT = 16;
const FUNDS_USD = 100_000;
const FUNDS_BTC = 1000;
const DAY_MS = 86_400_000;

export interface ScriptOptions {
  readonly openOrdersMax?: number;
  readonly algoOrdersMax?: number;
  readonly market?: Partial<MarketDefinition>;
  /** Whether the market has no rules that came after its first ones (adopted-rules.ts). */
  readonly isOfOld?: boolean;
  /** Restores the engine from a snapshot before every line, so that its complete state must be in it. */
  readonly goesThroughSnapshots?: boolean;
}

/** Runs the script's commands and returns the script with the actual results. */
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
  #engine: Engine = createEngine();
  readonly #events = new EventBuffer();
  readonly #goesThroughSnapshots: boolean;
  #nowMs = 1_700_000_000_000;

  constructor({
    openOrdersMax = 10,
    algoOrdersMax,
    market: changes,
    isOfOld = false,
    goesThroughSnapshots = false,
  }: ScriptOptions) {
    this.#goesThroughSnapshots = goesThroughSnapshots;
    const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 10 as Amount, ...changes };
    const setting: Command[] = [
      { type: "adoptRules", spentOrdersStop: !isOfOld, pendingTakePlaces: !isOfOld },
      { type: "listCoin", coin: coin("USD", 2) },
      { type: "listCoin", coin: coin("BTC", 2) },
      { type: "listMarket", market: market("BTC", { ...terms, quantityLotsMax: 1000 as Lots }) },
      {
        type: "definePlan",
        plan: plan("free", { makerFeeBps: 10, takerFeeBps: 20, openOrdersMax, algoOrdersMax }),
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
    const waiting = /^time passes (\d+)s$/.exec(line);
    if (waiting !== null) {
      this.#nowMs += Number(waiting[1]) * 1000;
      return [];
    }
    const command: Command =
      line === "time advances" ? { type: "advanceTime" } : parseLimited(line, this.#nowMs);
    return (
      this.#apply(command)
        // What the orders lose for it is printed.
        .filter(({ type }) => type !== "selfTradePrevented")
        .map((event) => describe(event, this.#nowMs))
    );
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
    const asks = read.bookLevels(1, "sell").reverse();
    const levels = (side: string, list: typeof asks) =>
      list.map(({ priceTicks, quantityLots }) => `${side} ${priceTicks}: ${quantityLots}`);
    const lines = [...levels("sell", asks), ...levels("buy", read.bookLevels(1, "buy"))];
    return lines.length === 0 ? ["empty"] : lines;
  }

  /** Each account's change since the beginning, with the held amount in brackets. */
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

/** Parses a command that may have a time limit. */
function parseLimited(line: string, nowMs: number): Command {
  const [, words, seconds] = /^(.*) valid (\S+)s$/.exec(line) ?? [];
  if (words === undefined) return parse(line, nowMs);
  const command = parse(words, nowMs) as Extract<Command, TimeLimited>;
  return { ...command, validUntilMs: nowMs + Number(seconds) * 1000 };
}

function parse(line: string, nowMs: number): Command {
  const [name = "", verb = "", ...words] = line.split(" ");
  const account = FIRST_ACCOUNT + NAMES.indexOf(name);
  const rest = words.join(" ");
  const [before = "", after = ""] = rest.split(": ");
  switch (verb) {
    case "market":
      return {
        type: "setMarketStatus",
        marketId: 1,
        status: words[1] as MarketStatus,
        forMs: words.includes("for") ? secondsAfter(words, "for") : 0,
        byAdmin: "olga",
        reason: "a test",
      };
    case "cancels":
      return parseCancel(account, words);
    case "amends":
      return parseAmendment(account, words);
    case "replaces": {
      const mode = before.startsWith("or places") ? "allowFailure" : "stopOnFailure";
      const orderId = Number(before.replace("or places ", ""));
      const order = parseOrder(after, nowMs);
      return { type: "replaceOrder", account, orderId, mode, marketId: 1, order };
    }
    case "lists": {
      const orders = after.split(" | ").map((terms) => parseOrder(terms, nowMs));
      return {
        type: "placeOrderList",
        account,
        marketId: 1,
        kind: before as OrderListKind,
        orders,
      };
    }
    default: {
      const terms = parseOrder([verb, ...words].join(" "), nowMs);
      return { type: "placeOrder", account, marketId: 1, ...terms };
    }
  }
}

function parseAmendment(account: number, words: readonly string[]): Command {
  const trigger = ["stop", "take-profit"].find((word) => words.includes(word));
  return {
    type: "amendOrder",
    account,
    orderId: Number(words[0]),
    quantityLots: numberAfter(words, "to") as Lots,
    priceTicks: numberAfter(words, "at") as Ticks,
    ...(!words.includes("old") && { everyKind: true }),
    ...(trigger !== undefined && { triggerTicks: numberAfter(words, trigger) as Ticks }),
    ...(words.includes("trail") && { trailBps: numberAfter(words, "trail") }),
    ...(words.includes("spending") && { quoteAmount: numberAfter(words, "spending") as Amount }),
  };
}

function parseCancel(account: number, words: readonly string[]): Command {
  const [what, which] = words;
  if (what !== "all") return { type: "cancelOrder", account, orderId: Number(what) };
  if (which === "after") {
    return { type: "setCancelTimer", account, marketId: 0, delayMs: secondsAfter(words, "after") };
  }
  const side = which === "buys" ? "buy" : "sell";
  return {
    type: "cancelAllOrders",
    account,
    marketId: 0,
    ...(which !== undefined && { side }),
  };
}

/** Parses `buys 3 at 100` and the words after it. */
function parseOrder(text: string, nowMs: number): OrderTerms {
  const [verb = "", amount, , price, ...rest] = text.split(" ");
  const isMarket = price === "market";
  const isByQuote = verb === "spends" || verb === "receives";
  const conditions = parseConditions(rest, nowMs);
  return {
    side: verb === "buys" || verb === "spends" ? "buy" : "sell",
    orderType: isMarket ? "market" : "limit",
    timeInForce:
      isMarket || rest.includes("ioc")
        ? "ioc"
        : rest.includes("fok")
          ? "fok"
          : rest.includes("until")
            ? "gtd"
            : "gtc",
    postOnly: rest.includes("post-only"),
    priceTicks: (isMarket ? 0 : Number(price)) as Ticks,
    quantityLots: (isByQuote ? 0 : Number(amount)) as Lots,
    quoteAmount: (isByQuote ? Number(amount) : 0) as Amount,
    clientOrderId: rest.includes("as") ? rest[rest.indexOf("as") + 1] : "",
    ...(Object.keys(conditions).length > 0 && { conditions }),
  };
}

const MODES: Readonly<Record<string, SelfTradePrevention>> = {
  "expire-taker": "expireTaker",
  "expire-maker": "expireMaker",
  "expire-both": "expireBoth",
  decrement: "decrement",
};

function parseConditions(words: readonly string[], nowMs: number): OrderConditions {
  const triggerTicks = (word: string) => numberAfter(words, word) as Ticks;
  return {
    ...(words.includes("showing") && { displayLots: numberAfter(words, "showing") as Lots }),
    ...(words.includes("until") && { expiresAtMs: nowMs + secondsAfter(words, "until") }),
    ...(words.includes("or") && { selfTradePrevention: MODES[words[words.indexOf("or") + 1]] }),
    ...(words.includes("stop") && {
      trigger: { kind: "stop", triggerTicks: triggerTicks("stop") },
    }),
    ...(words.includes("take-profit") && {
      trigger: { kind: "takeProfit", triggerTicks: triggerTicks("take-profit") },
    }),
    ...(words.includes("trail") && {
      trigger: { kind: "trailingStop", trailBps: numberAfter(words, "trail") },
    }),
  };
}

function numberAfter(words: readonly string[], word: string): number {
  return words.includes(word) ? Number(words[words.indexOf(word) + 1]) : 0;
}

function secondsAfter(words: readonly string[], word: string): number {
  return Number.parseFloat(words[words.indexOf(word) + 1]) * 1000;
}

/** Reasons that are not printed because they are evident. */
const EVIDENT = new Set(["filled", "byOwner", "immediateOrCancel", "bookExhausted"]);

function describe(event: ExchangeEvent, nowMs: number): string {
  const nameOf = (account: number) => NAMES[account - FIRST_ACCOUNT];
  const also = (amount: number, word: string) => (amount === 0 ? "" : `, ${amount} ${word}`);
  switch (event.type) {
    case "commandRejected":
      return `refused: ${event.reason}`;
    case "requestRepeated":
      return `already placed as ${event.orderId}`;
    case "orderPlaced":
      return `${event.orderId} placed, ${event.heldAmount} held`;
    case "orderWaiting":
      return event.waitsFor === "trigger"
        ? `${event.orderId} waits for ${event.triggerTicks}`
        : `${event.orderId} waits`;
    case "orderActivated":
      return `${event.orderId} activated with ${event.quantityLots}${also(event.heldAmount, "held")}`;
    case "orderListPlaced":
      return `list ${event.listId} of ${event.orderIds.join(", ")}`;
    case "orderAmended":
      return (
        `${event.orderId} amended, ${event.remainingLots} of ${event.quantityLots} at ` +
        `${event.priceTicks}${event.keptPriority ? ", in its place" : ""}` +
        also(event.heldAmount, "held") +
        also(event.releasedAmount, "released")
      );
    case "waitingOrderAmended": {
      const { priceTicks, quantityLots, quoteAmount, triggerTicks } = event;
      return (
        `${event.orderId} amended as it waits` +
        also(quantityLots, "to trade") +
        also(quoteAmount, "in total") +
        (priceTicks === 0 ? "" : ` at ${priceTicks}`) +
        (triggerTicks === 0 ? "" : ` from ${triggerTicks}`) +
        also(event.heldAmount, "held") +
        also(event.releasedAmount, "released")
      );
    }
    case "icebergRefilled":
      return `${event.orderId} shows ${event.visibleLots} of ${event.remainingLots}`;
    case "quantityDecremented":
      return (
        `${event.orderId} loses ${event.decrementedLots}, ${event.remainingLots} left` +
        also(event.releasedAmount, "released")
      );
    case "cancelTimerSet":
      return event.firesAtMs === 0
        ? "cancel timer off"
        : `cancel timer in ${(event.firesAtMs - nowMs) / 1000}s`;
    case "cancelTimerFired":
      return "cancel timer fires";
    case "traded": {
      const { auction, makerAccount, takerAccount, makerFee, takerFee } = event;
      return (
        `${event.quantityLots} at ${event.priceTicks} with ${event.makerOrderId}: ` +
        `${nameOf(takerAccount)} pays ${takerFee}, ${nameOf(makerAccount)} pays ${makerFee}` +
        also(event.takerReleased + (auction?.makerReleased ?? 0), "released")
      );
    }
    case "marketStatusChanged": {
      const by = event.cause === "admin" ? "" : ` by the ${event.cause}`;
      const seconds = (event.untilMs - nowMs) / 1000;
      return `the market is ${event.status}${by}${event.untilMs === 0 ? "" : ` for ${seconds}s`}`;
    }
    case "auctionUncrossed":
      return `uncrossed: ${event.volumeLots} at ${event.priceTicks}, surplus ${event.surplusLots}`;
    case "orderRested":
      return (
        `${event.orderId} rests with ${event.remainingLots}` +
        (event.visibleLots === event.remainingLots ? "" : `, showing ${event.visibleLots}`)
      );
    case "orderEnded":
      return (
        `${event.orderId} ${event.status}` +
        (EVIDENT.has(event.reason) ? "" : ` (${event.reason})`) +
        also(event.remainingLots, "left") +
        also(event.releasedAmount, "released")
      );
    default:
      return event.type;
  }
}
