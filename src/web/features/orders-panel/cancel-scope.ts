/** The set of the viewer's open orders that are to be cancelled together. */
import type { Order, Side } from "#contract/types.ts";

export interface CancelScope {
  /** The market; all markets if absent. */
  readonly market?: string;
  /** The side; both sides if absent. */
  readonly side?: Side;
}

export interface ScopeChoice {
  /** The choice's text after "Cancel". */
  readonly label: string;
  readonly scope: CancelScope;
  readonly count: number;
}

export function isInScope(order: Order, { market, side }: CancelScope): boolean {
  return (
    (market === undefined || order.market === market) && (side === undefined || order.side === side)
  );
}

/**
 * Scopes narrower than all open orders that contain at least one: by side, and by market if there are
 * several.
 * @param market the only market that the panel shows; undefined if it shows all
 */
export function scopeChoices(orders: readonly Order[], market: string | undefined): ScopeChoice[] {
  const ofMarket = market === undefined ? {} : { market };
  const markets = [...new Set(orders.map((order) => order.market))].toSorted();
  const choices: Omit<ScopeChoice, "count">[] = [
    { label: "buy orders", scope: { ...ofMarket, side: "buy" } },
    { label: "sell orders", scope: { ...ofMarket, side: "sell" } },
    ...(market === undefined && markets.length > 1
      ? markets.map((each) => ({ label: `orders in ${each}`, scope: { market: each } }))
      : []),
  ];
  return choices
    .map((choice) => ({
      ...choice,
      count: orders.filter((order) => isInScope(order, choice.scope)).length,
    }))
    .filter(({ count }) => count > 0);
}

/** The number of orders to be cancelled, in words: "3 orders", "1 buy order". */
export function countWords(count: number, { side }: CancelScope): string {
  const noun = `${side === undefined ? "" : `${side} `}order${count === 1 ? "" : "s"}`;
  return `${count} ${noun}`;
}

/** "Every open sell order in BTC-USD ends …" */
export function scopeSentence({ market, side }: CancelScope): string {
  const what = side === undefined ? "open order" : `open ${side} order`;
  const where = market === undefined ? "in all markets" : `in ${market}`;
  return `Every ${what} ${where} ends, and what it held becomes available again.`;
}
