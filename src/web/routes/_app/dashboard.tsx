import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { EquityPanel } from "../../features/overview/equity-panel.tsx";
import { HoldingsPanel } from "../../features/overview/holdings-panel.tsx";
import { MoversPanel } from "../../features/overview/movers-panel.tsx";
import { NextStep } from "../../features/overview/next-step.tsx";
import { OpenOrdersPanel } from "../../features/overview/open-orders-panel.tsx";
import { PracticeFundsButton } from "../../features/overview/practice-funds.tsx";
import { RecentActivityPanel } from "../../features/overview/recent-activity-panel.tsx";
import { WatchlistPanel } from "../../features/overview/watchlist-panel.tsx";
import { Page } from "../../frame/page.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";

const queries = {
  venue: convexQuery(functions.venue.info, {}),
  user: convexQuery(functions.users.current, {}),
  portfolio: convexQuery(functions.portfolio.summary, {}),
  tickers: convexQuery(functions.markets.tickers, {}),
  markets: convexQuery(functions.markets.list, {}),
  coins: convexQuery(functions.coins.list, {}),
  openOrders: convexQuery(functions.orders.open, {}),
  recentOrders: convexQuery(functions.orders.recent, {}),
  activity: convexQuery(functions.activity.recent, {}),
  watchlist: convexQuery(functions.watchlist.list, {}),
};

export const Route = createFileRoute("/_app/dashboard")({
  head: () => ({ meta: [{ title: "Dashboard" }] }),
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(queries.venue),
      queryClient.ensureQueryData(queries.user),
      queryClient.ensureQueryData(queries.portfolio),
      queryClient.ensureQueryData(queries.tickers),
      queryClient.ensureQueryData(queries.markets),
      queryClient.ensureQueryData(queries.coins),
      queryClient.ensureQueryData(queries.openOrders),
      queryClient.ensureQueryData(queries.recentOrders),
      queryClient.ensureQueryData(queries.activity),
      queryClient.ensureQueryData(queries.watchlist),
    ]);
  },
  pendingComponent: PageSkeleton,
  component: Dashboard,
});

function Dashboard() {
  const { data: user } = useSuspenseQuery(queries.user);
  const { data: portfolio } = useSuspenseQuery(queries.portfolio);
  const { data: tickers } = useSuspenseQuery(queries.tickers);
  const { data: markets } = useSuspenseQuery(queries.markets);
  const { data: coins } = useSuspenseQuery(queries.coins);
  const { data: openOrders } = useSuspenseQuery(queries.openOrders);
  const { data: recentOrders } = useSuspenseQuery(queries.recentOrders);
  const { data: activity } = useSuspenseQuery(queries.activity);
  const { data: venue } = useSuspenseQuery(queries.venue);
  if (user === null) return null;
  const hasFunds = portfolio.holdings.length > 0;
  return (
    <Page
      title="Dashboard"
      aside={
        <>
          {hasFunds && user.practiceFunds.length > 0 ? <PracticeFundsButton user={user} /> : null}
          {venue.funds === "practice" ? null : (
            <Link to="/transfers" className={buttonClass({ size: "sm" })}>
              Deposit and withdraw
            </Link>
          )}
        </>
      }
    >
      <NextStep user={user} hasFunds={hasFunds} hasOrdered={recentOrders.length > 0} />
      <div className="live-data grid items-start gap-4 lg:grid-cols-3">
        <div className="grid min-w-0 gap-4 lg:col-span-2">
          <EquityPanel portfolio={portfolio} />
          <HoldingsPanel portfolio={portfolio} />
          <OpenOrdersPanel orders={openOrders} markets={markets} />
        </div>
        <div className="grid min-w-0 gap-4">
          <WatchlistPanel tickers={tickers} markets={markets} coins={coins} />
          <MoversPanel tickers={tickers} markets={markets} coins={coins} />
          <RecentActivityPanel items={activity} />
        </div>
      </div>
    </Page>
  );
}
