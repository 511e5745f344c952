import { Link } from "@tanstack/react-router";
import type { LedgerSelection } from "#contract/types.ts";

/** Links from a fill to the page that recomputes it; renders nothing for anything else. */
export function ExplainLink({ selection }: { readonly selection: LedgerSelection }) {
  if (!("tradeId" in selection)) return null;
  const { orderId, tradeId } = selection;
  return (
    <p className="px-4 py-3 text-xs">
      <Link
        to="/fills/$orderId/$tradeId"
        params={{ orderId, tradeId: tradeId.toString() }}
        className="rounded-sm text-accent hover:underline"
      >
        Explain this trade: fee, rounding and postings recomputed
      </Link>
    </p>
  );
}
