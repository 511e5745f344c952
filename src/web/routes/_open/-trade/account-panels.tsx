import { useMemo, useState } from "react";
import type { Market } from "#contract/types.ts";
import { CancelAll, OpenOrderCount } from "../../../features/orders-panel/cancel-all.tsx";
import { OpenOrders } from "../../../features/orders-panel/open-orders.tsx";
import { NO_FILTER, type OrderFilter } from "../../../features/orders-panel/order-filter.ts";
import { OrderFilters } from "../../../features/orders-panel/order-filters.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { PanelTabs } from "./panel-tabs.tsx";
import { type AccountTab, useShownPanel } from "./shown-panels.ts";

/** Placeholder of a table; only the open orders load with the page, the others when their tab is chosen. */
const PLACEHOLDER = <Skeleton className="m-3 h-7" />;
const OrderHistory = lazyComponent(
  () => import("../../../features/orders-panel/order-history.tsx"),
  PLACEHOLDER,
);
const FillsTable = lazyComponent(
  () => import("../../../features/orders-panel/fills-table.tsx"),
  PLACEHOLDER,
);
const BalancesTable = lazyComponent(
  () => import("../../../features/balances-panel/balances-table.tsx"),
  PLACEHOLDER,
);

const DownloadRows = lazyComponent(() => import("./download-rows.tsx"));

interface AccountPanelsProps {
  readonly market: Market;
  readonly markets: ReadonlyMap<string, Market>;
  readonly settlementCoin: string;
}

/** Panels of the viewer's orders, fills and balances. */
export function AccountPanels({ market, markets, settlementCoin }: AccountPanelsProps) {
  const [tab, setTab] = useShownPanel("tab");
  const [filter, setFilter] = useState<OrderFilter>(NO_FILTER);
  const symbols = useMemo(() => [...markets.keys()], [markets]);
  const onlyThis = filter.market === market.symbol;
  const { market: filtered, ...anyMarket } = filter;
  return (
    <section aria-label="Orders and balances" className="h-full">
      <PanelTabs<AccountTab>
        label="Orders and balances"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            key: "open",
            title: (
              <>
                Open orders <OpenOrderCount market={filtered} />
              </>
            ),
          },
          { key: "history", title: "Order history" },
          { key: "fills", title: "Trades" },
          { key: "balances", title: "Balances" },
        ]}
        aside={
          tab === "balances" ? null : (
            <div className="flex min-h-9 items-center gap-3 px-3">
              <Checkbox
                label={`Only ${market.symbol}`}
                checked={onlyThis}
                onChange={() =>
                  setFilter(onlyThis ? anyMarket : { ...filter, market: market.symbol })
                }
                className="cursor-pointer text-xs! hover:text-text"
              />
              <OrderFilters
                filter={filter}
                markets={symbols}
                hasKinds={tab !== "fills"}
                onChange={setFilter}
              />
              {tab === "open" ? (
                <PanelBoundary className="flex-row p-0">
                  <CancelAll market={filtered} />
                </PanelBoundary>
              ) : (
                <PanelBoundary className="flex-row p-0">
                  <DownloadRows rows={tab === "history" ? "orders" : "fills"} filter={filter} />
                </PanelBoundary>
              )}
            </div>
          )
        }
      >
        {/* Keyed by tab, so that changing tabs retries after an error. */}
        <PanelBoundary key={tab}>
          {tab === "open" ? <OpenOrders markets={markets} filter={filter} /> : null}
          {tab === "history" ? <OrderHistory markets={markets} filter={filter} /> : null}
          {tab === "fills" ? <FillsTable markets={markets} filter={filter} /> : null}
          {tab === "balances" ? <BalancesTable settlementCoin={settlementCoin} /> : null}
        </PanelBoundary>
      </PanelTabs>
    </section>
  );
}
