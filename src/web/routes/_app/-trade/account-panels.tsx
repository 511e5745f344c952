import { useState } from "react";
import type { Market } from "#contract/types.ts";
import { BalancesTable } from "../../../features/balances-panel/balances-table.tsx";
import { CancelAll, OpenOrderCount } from "../../../features/orders-panel/cancel-all.tsx";
import { FillsTable } from "../../../features/orders-panel/fills-table.tsx";
import { OpenOrders } from "../../../features/orders-panel/open-orders.tsx";
import { OrderHistory } from "../../../features/orders-panel/order-history.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";

interface AccountPanelsProps {
  readonly market: Market;
  readonly markets: ReadonlyMap<string, Market>;
  readonly settlementCoin: string;
}

const CONTENT = "relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2";

/** What the viewer has in the market and in the account. */
export function AccountPanels({ market, markets, settlementCoin }: AccountPanelsProps) {
  const [tab, setTab] = useState("open");
  const [onlyThis, setOnlyThis] = useState(false);
  const scope = onlyThis ? market.symbol : undefined;
  return (
    <section aria-label="Orders and balances" className="h-full">
      <Tabs value={tab} onValueChange={setTab} className="flex h-full min-h-0 flex-col">
        <div className="flex shrink-0 flex-wrap items-stretch justify-between gap-x-3 border-b">
          <TabsList aria-label="Orders and balances" className="border-b-0 px-1 [scrollbar-width:none]">
            <TabsTrigger value="open">
              Open orders <OpenOrderCount market={scope} />
            </TabsTrigger>
            <TabsTrigger value="history">Order history</TabsTrigger>
            <TabsTrigger value="fills">Trades</TabsTrigger>
            <TabsTrigger value="balances">Balances</TabsTrigger>
          </TabsList>
          {tab === "balances" ? null : (
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
              {tab === "open" ? <CancelAll market={scope} /> : null}
            </div>
          )}
        </div>
        <TabsContent value="open" className={CONTENT}>
          <OpenOrders markets={markets} market={scope} />
        </TabsContent>
        <TabsContent value="history" className={CONTENT}>
          <OrderHistory markets={markets} market={scope} />
        </TabsContent>
        <TabsContent value="fills" className={CONTENT}>
          <FillsTable markets={markets} market={scope} />
        </TabsContent>
        <TabsContent value="balances" className={CONTENT}>
          <BalancesTable settlementCoin={settlementCoin} />
        </TabsContent>
      </Tabs>
    </section>
  );
}
