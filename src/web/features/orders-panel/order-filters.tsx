import { ListFilter } from "lucide-react";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { filterCount, type OrderFilterChoice } from "./order-filter.ts";

const OrderFilterFields = lazyComponent(
  () => import("./order-filter-fields.tsx"),
  <Skeleton className="h-60" />,
);

/** Filters the tables by market, side and kind. */
export function OrderFilters(props: OrderFilterChoice) {
  const { filter, hasKinds } = props;
  const count = filterCount(hasKinds ? filter : { ...filter, kind: undefined });
  return (
    <Popover
      label="Filter"
      triggerLabel={count === 0 ? "Filter" : `Filter: ${count} set`}
      trigger={
        <>
          <ListFilter className="size-4" aria-hidden />
          {count === 0 ? null : <span className="figures text-2xs text-accent">{count}</span>}
        </>
      }
      triggerClassName="inline-flex h-7 min-w-7 items-center justify-center gap-1 rounded-md text-muted hover:bg-hover hover:text-text"
      align="end"
      className="w-56 p-3"
    >
      {(close) => (
        <PanelBoundary className="h-auto">
          <OrderFilterFields {...props} close={close} />
        </PanelBoundary>
      )}
    </Popover>
  );
}
