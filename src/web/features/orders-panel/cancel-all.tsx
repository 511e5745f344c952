import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { READ_ONLY_SENTENCE, useIsReadOnly } from "../../session/read-only.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Button } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Popover } from "../../ui/popover.tsx";
import { type CancelScope, isInScope, scopeChoices } from "./cancel-scope.ts";

/** Loaded on demand: the dialog needs a library. */
const CancelAllDialog = lazyComponent(() => import("./cancel-all-dialog.tsx"));
const NO_ORDERS: readonly Order[] = [];

interface OrdersShown {
  /** Limits the orders to this market; all markets if undefined. */
  readonly market?: string | undefined;
}

/** Menu that cancels all open orders, those of one side or those of one market, after one confirmation. */
export function CancelAll({ market }: OrdersShown) {
  const [chosen, setChosen] = useState<CancelScope | null>(null);
  const isReadOnly = useIsReadOnly();
  const all: CancelScope = market === undefined ? {} : { market };
  const { data: orders = NO_ORDERS } = useFrameQuery(functions.orders.open, { ...all });
  const choices = scopeChoices(orders, market);
  const reason = isReadOnly ? { title: READ_ONLY_SENTENCE } : {};
  return (
    <span className="inline-flex items-center">
      <Button
        variant="ghost"
        size="sm"
        disabled={orders.length === 0 || isReadOnly}
        onClick={() => setChosen(all)}
        {...reason}
      >
        Cancel all
      </Button>
      {choices.length === 0 || isReadOnly ? (
        // A placeholder, so that adjacent elements do not move when the first order appears.
        <span aria-hidden className="size-7" />
      ) : (
        <Popover
          label="Cancel some orders"
          triggerLabel="Cancel by side or market"
          trigger={<ChevronDown className="size-4" aria-hidden />}
          triggerClassName="grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
          align="end"
          className="min-w-48 p-1"
        >
          {(close) => (
            <ul>
              {choices.map(({ label, scope, count }) => (
                <li key={label}>
                  <button
                    type="button"
                    className="flex min-h-8 w-full items-center justify-between gap-6 rounded-sm px-2 text-xs hover:bg-hover"
                    onClick={() => {
                      close();
                      setChosen(scope);
                    }}
                  >
                    <span>Cancel {label}</span> <span className="figures text-muted">{count}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Popover>
      )}
      {chosen === null ? null : (
        <CancelAllDialog
          scope={chosen}
          orders={orders.filter((order) => isInScope(order, chosen))}
          onClose={() => setChosen(null)}
        />
      )}
    </span>
  );
}

/** The number of open orders, for a tab's title; its place is kept until it is known. */
export function OpenOrderCount({ market }: OrdersShown) {
  const { data: count } = useFrameQuery(
    functions.orders.open,
    market === undefined ? {} : { market },
    countOf,
  );
  return (
    <span className="figures min-w-4 rounded-sm bg-hover px-1 text-center text-2xs">
      {count ?? "\u00a0"}
    </span>
  );
}

function countOf(orders: Order[]): number {
  return orders.length;
}
