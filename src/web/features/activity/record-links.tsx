import { Link } from "@tanstack/react-router";
import type { LedgerSelection } from "#contract/types.ts";

const LINK = "touchable rounded-sm text-accent hover:underline";

/** Links to the page of an order or fill; renders nothing for other selections. */
export function RecordLinks({ selection }: { readonly selection: LedgerSelection }) {
  if (!("orderId" in selection)) return null;
  const { orderId } = selection;
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-2 px-4 py-3 text-xs">
      {"tradeId" in selection ? (
        <Link
          to="/fills/$orderId/$tradeId"
          params={{ orderId, tradeId: selection.tradeId.toString() }}
          className={LINK}
        >
          Explain this trade: fee, rounding and postings recomputed
        </Link>
      ) : null}
      <Link to="/orders/$orderId" params={{ orderId }} className={LINK}>
        The order from its placement on
      </Link>
    </p>
  );
}
