/**
 * Counts by name what has happened in long runs, and reports expected names that never occurred. All
 * refusals are counted; of accepted commands only the events that were decoded.
 */
import { TRANSFER_REASONS } from "./transfer-model.ts";
import type { Command, OrderTerms } from "#engine/commands.ts";
import { ORDER_END_REASONS, type ExchangeEvent } from "#engine/events.ts";
import { REJECT_REASONS } from "#engine/reject-reasons.ts";

const COMMANDS: readonly Command["type"][] = [
  "placeOrder",
  "placeOrderList",
  "amendOrder",
  "replaceOrder",
  "cancelOrder",
  "cancelAllOrders",
  "setCancelTimer",
  "advanceTime",
  "limitWork",
  "limitBalances",
  "adoptRules",
  "setMarketStatus",
  "updateMarket",
  "listCoin",
  "listMarket",
  "definePlan",
  "updatePlan",
  "openAccount",
  "assignPlan",
  "choosePlan",
  "proposeAdjustment",
  "approveAdjustment",
  "rejectAdjustment",
  "setAccountFreeze",
  "takePracticeFunds",
  "fundParticipant",
  "startSimulation",
];
const STATUSES = ["preOpen", "auction", "trading", "postOnly", "cancelOnly", "halted", "closed"];
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  "commands accepted": COMMANDS,
  "orders placed": [
    ...["gtc", "gtd", "ioc", "fok", "post-only", "iceberg"].map((what) => `limit ${what}`),
    "market by quantity",
    "market by total",
    ...["stop", "takeProfit", "trailingStop"].flatMap((kind) => [
      `limit ${kind}`,
      `market ${kind}`,
    ]),
    "with an own mode of self-trade prevention",
    "with a client order id",
  ],
  "lists placed": ["oco", "oto", "otoco"],
  "orders changed": [
    "amended in its place",
    "amended to the end of the queue",
    "amended as it waits",
    "decremented",
    "refilled",
    "activated by trigger",
    "activated by workingOrder",
  ],
  "orders ended": [
    ...ORDER_END_REASONS,
    "accountFrozen",
    "wouldCross",
    "wouldNotFill",
    "priceOutsideBand",
    "insufficientAvailable",
    "balanceTooLarge",
  ],
  trades: ["continuous", "in an auction"],
  "market states": [
    ...STATUSES.map((status) => `${status} by admin`),
    "auction by timer",
    "trading by timer",
    "halted by breaker",
  ],
  "house events": [
    "planChosen",
    "planPeriodBegan",
    "planLapsed",
    "adjustmentApproved",
    "adjustmentRejected",
    "accountFreezeChanged",
    "practiceFundsTaken",
    "cancelTimerFired",
    "ordersLeftOpen",
    "requestRepeated",
  ],
  "fees by": ["plan", "volume", "market"],
  "refusals but those of transfers": REJECT_REASONS.filter(
    (reason) => !TRANSFER_REASONS.has(reason),
  ),
};

export class Coverage {
  /** Counts by group, then by name. */
  readonly #counts = new Map<string, Map<string, number>>(
    Object.keys(EXPECTED).map((group) => [group, new Map()]),
  );
  events = 0;

  accepted(command: Command): void {
    this.#count("commands accepted", command.type);
  }

  look(event: ExchangeEvent): void {
    this.events++;
    switch (event.type) {
      case "commandRejected":
        return this.#count("refusals but those of transfers", event.reason);
      case "orderPlaced":
        this.#count("fees by", event.feeSource);
        return this.#order(event);
      case "orderListPlaced":
        return this.#count("lists placed", event.kind);
      case "orderAmended":
        return this.#count(
          "orders changed",
          event.keptPriority ? "amended in its place" : "amended to the end of the queue",
        );
      case "waitingOrderAmended":
        return this.#count("orders changed", "amended as it waits");
      case "quantityDecremented":
        return this.#count("orders changed", "decremented");
      case "icebergRefilled":
        return this.#count("orders changed", "refilled");
      case "orderActivated":
        return this.#count("orders changed", `activated by ${event.cause}`);
      case "orderEnded":
        return this.#count("orders ended", event.reason);
      case "traded":
        return this.#count("trades", event.auction === undefined ? "continuous" : "in an auction");
      case "marketStatusChanged":
        return this.#count("market states", `${event.status} by ${event.cause}`);
      default:
        return this.#count("house events", event.type);
    }
  }

  add(other: Coverage): void {
    this.events += other.events;
    for (const [group, counts] of other.#counts) {
      for (const [name, count] of counts) this.#count(group, name, count);
    }
  }

  /** Expected names that never occurred, as `group: name`. */
  missing(): string[] {
    return Object.entries(EXPECTED).flatMap(([group, names]) =>
      names
        .filter((name) => !this.#counts.get(group)?.has(name))
        .map((name) => `${group}: ${name}`),
    );
  }

  /** One line per group with all counts. */
  table(): string {
    return [...this.#counts]
      .map(([group, counts]) => {
        const rows = [...counts]
          .toSorted(([, a], [, b]) => b - a)
          .map(([name, count]) => `  ${count.toLocaleString("en").padStart(14)}  ${name}`);
        return [group, ...rows].join("\n");
      })
      .join("\n");
  }

  #order(terms: OrderTerms): void {
    const { conditions = {}, orderType, quoteAmount, timeInForce } = terms;
    const { displayLots, selfTradePrevention, trigger } = conditions;
    const group = "orders placed";
    if (trigger !== undefined) this.#count(group, `${orderType} ${trigger.kind}`);
    else if (orderType === "limit") this.#count(group, `limit ${timeInForce}`);
    else this.#count(group, `market by ${quoteAmount === 0 ? "quantity" : "total"}`);
    if (terms.postOnly) this.#count(group, "limit post-only");
    if (displayLots !== undefined) this.#count(group, "limit iceberg");
    if (selfTradePrevention !== undefined) {
      this.#count(group, "with an own mode of self-trade prevention");
    }
    if (terms.clientOrderId !== "") this.#count(group, "with a client order id");
  }

  #count(group: string, name: string, count = 1): void {
    const counts = this.#counts.get(group);
    counts?.set(name, (counts.get(name) ?? 0) + count);
  }
}
