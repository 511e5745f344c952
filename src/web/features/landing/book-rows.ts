import type { Decimal } from "#contract/types.ts";

export interface BookLevel {
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** The row's share of the largest quantity of both sides, for drawing; stepped, so that bars move less. */
  readonly share: number;
}

const SHARE_STEPS = 50;

/** The best levels of both sides, best first. In `book`, prices and quantities alternate. */
export function bookLevels(
  { bids, asks }: { readonly bids: readonly Decimal[]; readonly asks: readonly Decimal[] },
  levels: number,
): { readonly bids: BookLevel[]; readonly asks: BookLevel[] } {
  const sides = [bids, asks].map((side) => side.slice(0, 2 * levels));
  const quantities = sides.flat().filter((_, index) => index % 2 === 1);
  const largest = Math.max(...quantities.map(Number), 0);
  const [bidLevels = [], askLevels = []] = sides.map((side) =>
    side.flatMap((price, index) => {
      const quantity = side[index + 1];
      if (index % 2 === 1 || quantity === undefined) return [];
      const share = largest === 0 ? 0 : Number(quantity) / largest;
      return [{ price, quantity, share: Math.ceil(share * SHARE_STEPS) / SHARE_STEPS }];
    }),
  );
  return { bids: bidLevels, asks: askLevels };
}
