import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { CoinDetailsButton } from "../../features/coin-details/coin-details-button.tsx";
import { EquityPanel } from "../../features/overview/equity-panel.tsx";
import { Allocation } from "../../features/portfolio/allocation.tsx";
import { HoldingsTable } from "../../features/portfolio/holdings-table.tsx";
import { PortfolioFigures } from "../../features/portfolio/portfolio-figures.tsx";
import { ProfitPanel } from "../../features/portfolio/profit-panel.tsx";
import { Page } from "../../frame/page.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";

const portfolioQuery = convexQuery(functions.portfolio.summary, {});
const venueQuery = convexQuery(functions.venue.info, {});
const balancesQuery = convexQuery(functions.accounts.balances, {});

export const Route = createFileRoute("/_app/portfolio")({
  head: () => ({ meta: [{ title: "Portfolio" }] }),
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(portfolioQuery),
      queryClient.ensureQueryData(balancesQuery),
      queryClient.ensureQueryData(venueQuery),
    ]);
  },
  pendingComponent: PageSkeleton,
  component: PortfolioPage,
});

function PortfolioPage() {
  const { data: portfolio } = useSuspenseQuery(portfolioQuery);
  const { data: balances } = useSuspenseQuery(balancesQuery);
  const { data: venue } = useSuspenseQuery(venueQuery);
  return (
    <Page
      title="Portfolio"
      aside={
        <>
          {venue.funds === "practice" ? null : (
            <Link to="/transfers" className={buttonClass({ size: "sm" })}>
              Deposit and withdraw
            </Link>
          )}
          <Link to="/statements" className={buttonClass({ size: "sm" })}>
            Statements
          </Link>
        </>
      }
    >
      <div className="live-data grid gap-4">
        <PortfolioFigures portfolio={portfolio} funds={venue.funds} />
        {portfolio.holdings.length === 0 ? null : (
          <div className="grid gap-4 lg:grid-cols-3">
            <EquityPanel portfolio={portfolio} className="lg:col-span-2" />
            <Allocation holdings={portfolio.holdings} />
          </div>
        )}
        <HoldingsTable
          portfolio={portfolio}
          balances={balances}
          funds={venue.funds}
          about={CoinDetailsButton}
        />
        <ProfitPanel portfolio={portfolio} />
      </div>
    </Page>
  );
}
