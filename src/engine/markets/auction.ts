/**
 * The one price at which a crossed book is uncrossed, and how much trades there. Pure, so that read
 * models can show the indicative result of an auction before it ends.
 *
 * The price is the one with the largest volume; on a tie the one with the smallest surplus; of
 * several with both, which are neighbours, the one nearest to the reference price, or the lowest
 * without a reference. Between two prices of orders nothing changes, so the work is bounded by the
 * levels that cross.
 */

/** Demand or supply at one price, as a quantity. */
export interface AuctionLevel {
  readonly priceTicks: number;
  readonly lots: number;
}

export interface Uncrossing {
  readonly priceTicks: number;
  readonly volumeLots: number;
  /** Imbalance at the price: unmatched demand if positive, supply if negative. */
  readonly surplusLots: number;
}

/**
 * @param bids, asks best price first, each price once
 * @param referenceTicks the last price; 0 if none
 * @returns undefined if nothing crosses
 */
export function uncrossingOf(
  bids: readonly AuctionLevel[],
  asks: readonly AuctionLevel[],
  referenceTicks: number,
): Uncrossing | undefined {
  const highest = bids[0]?.priceTicks ?? 0;
  const lowest = asks[0]?.priceTicks ?? Infinity;
  if (highest < lowest) return undefined;
  // From the lowest price that can trade upwards, demand falls and supply rises.
  const wanting = bids.filter(({ priceTicks }) => priceTicks >= lowest).toReversed();
  const offering = asks.filter(({ priceTicks }) => priceTicks <= highest);
  let wantedLots = wanting.reduce((sum, { lots }) => sum + lots, 0);
  let offeredLots = 0;
  let best: Uncrossing | undefined;
  let bid = 0;
  let ask = 0;
  let startTicks = lowest;
  while (startTicks <= highest) {
    while (bid < wanting.length && wanting[bid].priceTicks < startTicks) {
      wantedLots -= wanting[bid++].lots;
    }
    while (ask < offering.length && offering[ask].priceTicks <= startTicks) {
      offeredLots += offering[ask++].lots;
    }
    // Demand is constant up to the next bid, supply up to just below the next ask.
    const endTicks = Math.min(
      wanting[bid].priceTicks,
      ask < offering.length ? offering[ask].priceTicks - 1 : highest,
    );
    const candidate: Uncrossing = {
      priceTicks: nearest(startTicks, endTicks, referenceTicks),
      volumeLots: Math.min(wantedLots, offeredLots),
      surplusLots: wantedLots - offeredLots,
    };
    if (best === undefined || isBetter(candidate, best, referenceTicks)) best = candidate;
    startTicks = endTicks + 1;
  }
  return best;
}

/** The price in a range that is nearest to the reference; the lowest without a reference. */
function nearest(startTicks: number, endTicks: number, referenceTicks: number): number {
  if (referenceTicks <= startTicks) return startTicks;
  return Math.min(referenceTicks, endTicks);
}

/**
 * Whether the candidate is better than the best range so far. Ranges ascend by price: on a tie the
 * earlier one stays.
 */
function isBetter(candidate: Uncrossing, best: Uncrossing, referenceTicks: number): boolean {
  if (candidate.volumeLots !== best.volumeLots) return candidate.volumeLots > best.volumeLots;
  const surplus = Math.abs(candidate.surplusLots);
  const bestSurplus = Math.abs(best.surplusLots);
  if (surplus !== bestSurplus) return surplus < bestSurplus;
  if (referenceTicks === 0) return false;
  const distance = Math.abs(candidate.priceTicks - referenceTicks);
  return distance < Math.abs(best.priceTicks - referenceTicks);
}
