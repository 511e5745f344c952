import { useState } from "react";
import type { Market } from "#contract/types.ts";
import { CancelAll, OpenOrderCount } from "../../../features/orders-panel/cancel-all.tsx";
import { OpenOrders } from "../../../features/orders-panel/open-orders.tsx";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { PanelTabs } from "./panel-tabs.tsx";

/** Only the open orders are visible at first: the other tables load when their tab is chosen. */
const WAITING = <Skeleton className="m-3 h-7" />;
const OrderHistory = lazyComponent(
  () => import("../../../features/orders-panel/order-history.tsx"),
  WAITING,
);
const FillsTable = lazyComponent(
  () => import("../../../features/orders-panel/fills-table.tsx"),
  WAITING,
);
const BalancesTable = lazyComponent(
  () => import("../../../features/balances-panel/balances-table.tsx"),
  WAITING,
);

interface AccountPanelsProps {
  readonly market: Market;
  readonly markets: ReadonlyMap<string, Market>;
  readonly settlementCoin: string;
}

type Tab = "open" | "history" | "fills" | "balances";

/** The viewer's orders and balances, of the market and of the account. */
export function AccountPanels({ market, markets, settlementCoin }: AccountPanelsProps) {
  const [tab, setTab] = useState<Tab>("open");
  const [onlyThis, setOnlyThis] = useState(false);
  const scope = onlyThis ? market.symbol : undefined;
  return (
    <section aria-label="Orders and balances" className="h-full">
      <PanelTabs<Tab>
        label="Orders and balances"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            key: "open",
            title: (
              <>
                Open orders <OpenOrderCount market={scope} />
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
              <label className="flex cursor-pointer items-center gap-2 text-xs text-muted hover:text-text">
                <input
                  type="checkbox"
                  checked={onlyThis}
                  onChange={() => setOnlyThis(!onlyThis)}
                  className="size-3.5 accent-accent"
                />
                Only {market.symbol}
              </label>
              {tab === "open" ? (
                <PanelBoundary className="flex-row p-0">
                  <CancelAll market={scope} />
                </PanelBoundary>
              ) : null}
            </div>
          )
        }
      >
        {/* One boundary per tab: changing tabs retries. */}
        <PanelBoundary key={tab}>
          {tab === "open" ? <OpenOrders markets={markets} market={scope} /> : null}
          {tab === "history" ? <OrderHistory markets={markets} market={scope} /> : null}
          {tab === "fills" ? <FillsTable markets={markets} market={scope} /> : null}
          {tab === "balances" ? <BalancesTable settlementCoin={settlementCoin} /> : null}
        </PanelBoundary>
      </PanelTabs>
    </section>
  );
}
