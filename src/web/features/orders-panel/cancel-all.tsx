import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Button } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";

/** Dialogs are loaded on demand: they need a library. */
const CancelAllDialog = lazyComponent(() => import("./cancel-all-dialog.tsx"));

interface CancelAllProps {
  /** Only this market's orders; all if undefined. */
  readonly market?: string | undefined;
}

/** Cancels all open orders after one confirmation. */
export function CancelAll({ market }: CancelAllProps) {
  const [open, setOpen] = useState(false);
  const scope = market === undefined ? {} : { market };
  const { data: count = 0 } = useFrameQuery(functions.orders.open, scope, countOf);
  return (
    <>
      <Button variant="ghost" size="sm" disabled={count === 0} onClick={() => setOpen(true)}>
        Cancel all
      </Button>
      {open ? (
        <CancelAllDialog market={market} count={count} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

/** The number of open orders, for a tab's title. */
export function OpenOrderCount({ market }: CancelAllProps) {
  const { data: count = 0 } = useFrameQuery(
    functions.orders.open,
    market === undefined ? {} : { market },
    countOf,
  );
  return count === 0 ? null : (
    <span className="figures rounded-sm bg-hover px-1 text-2xs">{count}</span>
  );
}

function countOf(orders: Order[]): number {
  return orders.length;
}
