import { subtractDecimals } from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";
import { formatShare } from "../../format/money.ts";

/** A bar that compares the total quantities of both sides. */
export function ImbalanceBar({ bidShare }: { readonly bidShare: Decimal | null }) {
  return (
    <section
      aria-label="Imbalance of bids and asks"
      className="figures flex h-6 shrink-0 items-center gap-2 border-t px-3 text-2xs"
    >
      {bidShare === null ? null : (
        <>
          <span className="text-buy">
            <span className="mr-1 font-sans">Bids</span>
            {formatShare(bidShare, 0)}
          </span>
          <span
            aria-hidden
            className="h-1 min-w-0 flex-1 overflow-hidden rounded-full bg-sell forced-color-adjust-none"
          >
            <span
              className="block h-full w-full origin-left border-r border-surface bg-buy"
              style={{ transform: `scaleX(${bidShare}%)` }}
            />
          </span>
          <span className="text-sell">
            {formatShare(subtractDecimals("100", bidShare), 0)}
            <span className="ml-1 font-sans">Asks</span>
          </span>
        </>
      )}
    </section>
  );
}
