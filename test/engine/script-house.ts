/**
 * Scripts of everything around trading, as an operator would write them: plans, their prices and fees,
 * adjustments, freezes. One market, BTC-USD, a cent per lot and tick; ann, bob and cat have 1 000 USD
 * and 1 000 lots each. The plans are free (20/25), active (10/15, from 300 USD in 30 days), pro (4/8, 49
 * USD a month, orders of 500 USD at most), plus (2/4, 98 USD a month) and maker (0/5, assigned); on
 * free, from 500 USD on, fees are 12/18.
 *
 *   on 2026-01-31                    sets the time to noon of that day; "at 2026-01-31T23:59:59.999" to a moment
 *   time passes                      fires the timers that are due
 *   ann chooses pro
 *   the admin assigns pro to ann
 *   pro costs 60                     redefines the plan; also "pro takes 5/9"
 *   BTC fees are 0/1                 redefines the market; "as of the plans" removes its own fees
 *   olga proposes 5.00 USD for ann: reason        paul approves 1, paul rejects 1
 *   olga freezes ann: reason         "freezes and clears", "unfreezes"
 *   BTC is auction                   the market's state
 *   ann buys 3 at 100, ann amends 1 to 5, ann cancels 1
 *   money                            each account's change in USD since the beginning
 *
 * Lines starting with ">" are the expected results.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, MarketStatus, PlanDefinition } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import {
  ADJUSTMENTS_ACCOUNT,
  FEES_ACCOUNT,
  FIRST_USER_ACCOUNT,
  HOUSE_ACCOUNT,
} from "#engine/accounts/postings.ts";
import { coin, market, plan } from "./commands.ts";

const NAMES = ["ann", "bob", "cat"];
const USD = 1;
const FUNDS = 100_000;

const btc = market("BTC", { lotUnits: 1, tickLotUnits: 1, quantityLotsMax: 1000 as Lots });
const PLANS: readonly PlanDefinition[] = [
  plan("free", {
    makerFeeBps: 20,
    takerFeeBps: 25,
    currency: "USD",
    volumeLadder: [{ volumeMin: "500", makerFeeBps: 12, takerFeeBps: 18 }],
  }),
  plan("active", {
    makerFeeBps: 10,
    takerFeeBps: 15,
    currency: "USD",
    eligibility: "volume",
    volumeMin: "300",
  }),
  ...[
    { slug: "pro", price: "49", makerFeeBps: 4, takerFeeBps: 8, notionalMax: "500" },
    { slug: "plus", price: "98", makerFeeBps: 2, takerFeeBps: 4 },
  ].map(({ slug, ...terms }) =>
    plan(slug, { ...terms, currency: "USD", eligibility: "paid", interval: "month" }),
  ),
  plan("maker", { makerFeeBps: 0, takerFeeBps: 5, eligibility: "assigned" }),
];

/** Runs the script's commands and returns the script with the actual results. */
export function runHouseScript(script: string): string {
  const session = new Session();
  const lines = script
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith(">"));
  return lines
    .flatMap((line) => [line, ...session.run(line).map((said) => `> ${said}`)])
    .join("\n");
}

class Session {
  readonly #engine = createEngine();
  readonly #events = new EventBuffer();
  readonly #plans = [...PLANS];
  #market = btc;
  #nowMs = Date.parse("2026-01-01T12:00:00Z");

  constructor() {
    const setting: Command[] = [
      { type: "listCoin", coin: coin("USD", 2) },
      { type: "listCoin", coin: coin("BTC", 2) },
      { type: "listMarket", market: btc },
      ...PLANS.map((definition): Command => ({ type: "definePlan", plan: definition })),
      ...NAMES.flatMap((userId, index): Command[] => {
        const fund = { type: "fundParticipant", account: FIRST_USER_ACCOUNT + index } as const;
        return [
          { type: "openAccount", userId, kind: "participant" },
          { ...fund, assetId: 1, amount: FUNDS as Amount },
          { ...fund, assetId: 2, amount: 1000 as Amount },
        ];
      }),
    ];
    for (const command of setting) this.#apply(command);
  }

  run(line: string): string[] {
    if (line === "money") return this.#money();
    const moment = /^(?:on|at) (\S+)$/.exec(line);
    if (moment !== null) {
      this.#nowMs = Date.parse(line.startsWith("on") ? `${moment[1]}T12:00:00Z` : `${moment[1]}Z`);
      return [];
    }
    return this.#apply(this.#parse(line))
      .filter(({ type }) => type !== "timeAdvanced")
      .map((event) => this.#describe(event));
  }

  #apply(command: Command): ExchangeEvent[] {
    this.#events.clear();
    this.#engine.apply(this.#engine.sequence + 1, this.#nowMs, "", command, this.#events);
    this.#engine.read.checkInvariants();
    return this.#events.decode();
  }

  #parse(line: string): Command {
    const [sentence, reason = ""] = line.split(": ");
    const words = sentence.split(" ");
    const [name, verb] = words;
    const account = accountOf(name);
    switch (verb) {
      case "passes":
        return { type: "advanceTime" };
      case "chooses":
        return { type: "choosePlan", account, planId: this.#planId(words[2]) };
      case "admin":
        return {
          type: "assignPlan",
          account: accountOf(words[5]),
          planId: this.#planId(words[3]),
        };
      case "costs": {
        const planId = this.#planId(name);
        this.#plans[planId - 1] = { ...this.#plans[planId - 1], price: words[2] };
        return { type: "updatePlan", planId, plan: this.#plans[planId - 1] };
      }
      case "takes": {
        const planId = this.#planId(name);
        const [makerFeeBps, takerFeeBps] = words[2].split("/").map(Number);
        this.#plans[planId - 1] = { ...this.#plans[planId - 1], makerFeeBps, takerFeeBps };
        return { type: "updatePlan", planId, plan: this.#plans[planId - 1] };
      }
      case "is":
        return {
          type: "setMarketStatus",
          marketId: 1,
          status: words[2] as MarketStatus,
          forMs: 0,
          byAdmin: "olga",
          reason: "a test",
        };
      case "fees": {
        const { feeOverride: _, ...terms } = this.#market;
        const [makerFeeBps, takerFeeBps] = words[3].split("/").map(Number);
        const isOwn = words[3] !== "as";
        this.#market = isOwn ? { ...terms, feeOverride: { makerFeeBps, takerFeeBps } } : terms;
        return { type: "updateMarket", marketId: 1, market: this.#market };
      }
      case "proposes":
        return {
          type: "proposeAdjustment",
          account: accountOf(words[5]),
          assetId: words[3] === "USD" ? 1 : 2,
          amount: Math.round(Number(words[2]) * 100),
          reason,
          proposedBy: name,
        };
      case "approves":
        return { type: "approveAdjustment", adjustmentId: Number(words[2]), approvedBy: name };
      case "rejects":
        return { type: "rejectAdjustment", adjustmentId: Number(words[2]), rejectedBy: name };
      case "freezes":
      case "unfreezes":
        return {
          type: "setAccountFreeze",
          account: accountOf(words.at(-1)),
          isFrozen: verb === "freezes",
          cancelsOrders: words.includes("clears"),
          byAdmin: name,
          reason,
        };
      case "amends":
        return {
          type: "amendOrder",
          account,
          orderId: Number(words[2]),
          priceTicks: 0 as Ticks,
          quantityLots: Number(words[4]) as Lots,
        };
      case "cancels":
        return { type: "cancelOrder", account, orderId: Number(words[2]) };
      case "buys":
      case "sells":
        return {
          type: "placeOrder",
          account,
          marketId: 1,
          side: verb === "buys" ? "buy" : "sell",
          orderType: "limit",
          timeInForce: "gtc",
          postOnly: false,
          priceTicks: Number(words[4]) as Ticks,
          quantityLots: Number(words[2]) as Lots,
          quoteAmount: 0 as Amount,
          clientOrderId: "",
        };
      default:
        throw new Error(`no command reads "${line}"`);
    }
  }

  #planId(slug: string): number {
    return this.#plans.findIndex((known) => known.slug === slug) + 1;
  }

  #money(): string[] {
    const accounts: [string, number, number][] = [
      ...NAMES.map((name): [string, number, number] => [name, accountOf(name), FUNDS]),
      ["house", HOUSE_ACCOUNT, 0],
      ["adjustments", ADJUSTMENTS_ACCOUNT, 0],
      ["fees", FEES_ACCOUNT, 0],
    ];
    return accounts.flatMap(([name, account, funds]) => {
      const { available, held } = this.#engine.read.balance(account, USD);
      const change = available + held - funds;
      return change === 0 ? [] : [`${name} ${change > 0 ? "+" : ""}${dollars(change)}`];
    });
  }

  #describe(event: ExchangeEvent): string {
    const planOf = (planId: number) => this.#plans[planId - 1].slug;
    switch (event.type) {
      case "commandRejected":
        return `refused: ${event.reason}`;
      case "planAssigned":
        return `${nameOf(event.account)} is on ${planOf(event.planId)}`;
      case "planChosen":
        return event.effectiveAtMs > this.#nowMs
          ? `${nameOf(event.account)} will be on ${planOf(event.planId)} from ${dateOf(event.effectiveAtMs)}`
          : `${nameOf(event.account)} is on ${planOf(event.planId)}`;
      case "planPeriodBegan": {
        const credit =
          event.creditedAmount === 0 ? "" : `, ${dollars(event.creditedAmount)} credited`;
        const end = event.renewsAtMs === 0 ? "for ever" : `until ${dateOf(event.renewsAtMs)}`;
        return `pays ${dollars(event.amount)}${credit}, ${end}`;
      }
      case "planLapsed":
        return `${nameOf(event.account)} falls from ${planOf(event.lapsedPlanId)} to ${planOf(event.planId)}: ${event.reason}`;
      case "adjustmentProposed":
        return `adjustment ${event.adjustmentId} waits`;
      case "adjustmentApproved":
        return `${nameOf(event.account)} ${event.amount > 0 ? "gets" : "gives"} ${dollars(Math.abs(event.amount))}: ${event.reason} (${event.proposedBy}, ${event.approvedBy})`;
      case "orderPlaced":
        return `${event.orderId} placed at ${event.makerFeeBps}/${event.takerFeeBps} by ${event.feeSource}`;
      case "traded":
        return `${event.quantityLots} traded, ${nameOf(event.makerAccount)} pays ${event.makerFee}, ${nameOf(event.takerAccount)} pays ${event.takerFee}`;
      case "orderRested":
        return `${event.orderId} rests`;
      case "orderEnded":
        return `${event.orderId} ${event.status}`;
      default:
        return event.type;
    }
  }
}

function accountOf(name = ""): number {
  return FIRST_USER_ACCOUNT + NAMES.indexOf(name);
}

function nameOf(account: number): string {
  return NAMES[account - FIRST_USER_ACCOUNT];
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
