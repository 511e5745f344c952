/** The steps of an order's life, each with its ledger entries. */
import { formatDecimal } from "#contract/decimal.ts";
import type { ChangingTerms, OrderStep } from "#contract/order-life.ts";
import type { OrderLifeRecord } from "../history/readers/order-life-reader.ts";
import type { LedgerEntryRecord } from "../records/ledger-entries.ts";
import type { OrderChangeRecord, WaitingTerms } from "../records/order-changes.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { formatPrice, formatQuantity } from "./market-numbers.ts";
import { presentFill, presentLedgerEntry } from "./present-account.ts";

type StepKind = OrderStep["kind"];
type Unposted<Step> = Step extends unknown ? Omit<Step, "postings"> : never;
type BareStep = Unposted<OrderStep>;

/** Entries per trade: the debit and the credit before the fee. */
const TRADE_ENTRIES = 2;
/** Entries per release: from held and to available. */
const RELEASE_ENTRIES = 2;

/** The steps of the order's life, oldest first. */
export function orderSteps(
  views: Views,
  order: OrderRecord,
  life: Pick<OrderLifeRecord, "changes" | "fills" | "entries">,
): OrderStep[] {
  const market = views.catalogue.market(order.marketId);
  const steps: BareStep[] = [
    placedStep(order, life.changes, market),
    ...life.changes.map((change) => changeStep(change, market)),
    ...life.fills.map((fill): BareStep => ({
      kind: "filled",
      fill: presentFill(views, fill),
      time: fill.timestampMs,
      sequence: fill.sequence,
    })),
    ...(order.status === "open"
      ? []
      : [{ kind: "ended", time: order.updatedAtMs, sequence: order.updatedSequence } as const]),
  ];
  // The sort is stable: steps of one command stay in the order of placing, changing, filling and
  // ending.
  const inOrder = steps.toSorted((left, right) => left.sequence - right.sequence);
  const postings = assignEntries(inOrder, order, life.entries);
  return inOrder.map((step, index) => ({
    ...step,
    postings: (postings[index] ?? []).map((entry) => presentLedgerEntry(views, entry)),
  }));
}

/** The original terms are those before the first change. */
function placedStep(
  order: OrderRecord,
  changes: readonly OrderChangeRecord[],
  market: MarketView,
): BareStep {
  const [first] = changes;
  const amended = changes.find(({ waitingTerms }) => waitingTerms !== undefined);
  return {
    kind: "placed",
    terms: terms(
      first?.previousPriceTicks ?? order.priceTicks,
      first?.previousQuantityLots ?? order.quantityLots,
      amended?.waitingTerms?.before,
      market,
    ),
    time: order.placedAtMs,
    sequence: order.placedSequence,
  };
}

function changeStep(change: OrderChangeRecord, market: MarketView): BareStep {
  const at = { time: change.timestampMs, sequence: change.sequence };
  const price = change.marketTicks === 0 ? null : formatPrice(change.marketTicks, market);
  const cause = change.cause === "workingOrder" ? "workingOrder" : "trigger";
  switch (change.kind) {
    case "waiting":
      return { ...at, kind: "waiting", waitsFor: cause, price };
    case "activated":
      return { ...at, kind: "activated", cause, last: price };
    case "amended":
      return {
        ...at,
        kind: "amended",
        before: terms(
          change.previousPriceTicks,
          change.previousQuantityLots,
          change.waitingTerms?.before,
          market,
        ),
        after: terms(change.priceTicks, change.quantityLots, change.waitingTerms?.after, market),
        keptPlace: change.waitingTerms === undefined ? change.keptPlace : null,
      };
    case "decremented": {
      const lots = change.previousQuantityLots - change.quantityLots;
      return { ...at, kind: "decremented", quantity: formatQuantity(lots, market) };
    }
    default:
      throw new TypeError(`no step of an order: ${String(change.kind satisfies never)}`);
  }
}

function terms(
  priceTicks: number,
  quantityLots: number,
  waiting: WaitingTerms | undefined,
  market: MarketView,
): ChangingTerms {
  const { quoteAmount = 0, trailBps = 0, triggerTicks = 0 } = waiting ?? {};
  return {
    price: priceTicks === 0 ? null : formatPrice(priceTicks, market),
    quantity: quantityLots === 0 ? null : formatQuantity(quantityLots, market),
    ...(quoteAmount !== 0 && { quoteAmount: formatDecimal(quoteAmount, market.quote.scale) }),
    ...(triggerTicks !== 0 && { triggerPrice: formatPrice(triggerTicks, market) }),
    ...(trailBps !== 0 && { trailBps }),
  };
}

/**
 * Assigns each entry to one step of its sequence. Within a sequence, the hold comes first, then the
 * entries of each fill, then the release at the end.
 */
function assignEntries(
  steps: readonly BareStep[],
  order: OrderRecord,
  entries: readonly LedgerEntryRecord[],
): LedgerEntryRecord[][] {
  const assigned: LedgerEntryRecord[][] = steps.map(() => []);
  for (const [sequence, ofSequence] of Map.groupBy(entries, (entry) => entry.sequence)) {
    const indexes = steps.flatMap((step, index) => (step.sequence === sequence ? [index] : []));
    const find = (...kinds: readonly StepKind[]) =>
      indexes.find((index) => kinds.includes(steps[index].kind)) ?? indexes[0];
    const fills = indexes.filter((index) => steps[index].kind === "filled");
    const ends = indexes.some((index) => steps[index].kind === "ended");
    const lastTrade = ofSequence.findLastIndex(({ reason }) => reason === "trade");
    const releasedLast = ofSequence.findLastIndex(({ reason }) => reason === "release");
    const isReleasedByEnd = ends && (order.status !== "filled" || fills.length === 0);
    const tradesInAll = ofSequence.filter(({ reason }) => reason === "trade").length;
    let trades = 0;
    ofSequence.forEach((entry, position) => {
      if (entry.reason === "trade") trades += 1;
      // Counted from the end: of an order with very many fills, only the newest steps and entries
      // are present.
      const fillsLeft = Math.floor((tradesInAll - trades) / TRADE_ENTRIES);
      const fill = trades === 0 ? undefined : (fills[fills.length - 1 - fillsLeft] ?? null);
      if (fill === null) return;
      const isAtEnd = position > lastTrade && releasedLast - position < RELEASE_ENTRIES;
      const target =
        entry.reason === "release" && isReleasedByEnd && isAtEnd
          ? find("ended")
          : (fill ??
            (entry.reason === "hold"
              ? find("placed", "activated", "amended")
              : find("amended", "decremented", "filled", "ended")));
      if (target !== undefined) assigned[target]?.push(entry);
    });
  }
  return assigned;
}
