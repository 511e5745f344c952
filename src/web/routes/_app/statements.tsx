import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { nameOfMonth, parseMonth } from "../../features/statements/statement-month.ts";
import { StatementPanel } from "../../features/statements/statement-panel.tsx";
import { formatMonth } from "../../format/time.ts";
import { Page } from "../../frame/page.tsx";
import { DownloadLink } from "../../ui/download-link.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";

const monthsQuery = convexQuery(functions.accounts.statementMonths, {});

export const Route = createFileRoute("/_app/statements")({
  validateSearch: (search: Record<string, unknown>): { month?: string | undefined } => ({
    month: parseMonth(search["month"]),
  }),
  head: () => ({ meta: [{ title: "Statements" }] }),
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(monthsQuery);
  },
  pendingComponent: PageSkeleton,
  component: StatementsPage,
});

function StatementsPage() {
  const { data: months } = useSuspenseQuery(monthsQuery);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const chosen = months.find((monthMs) => nameOfMonth(monthMs) === search.month) ?? months[0];
  return (
    <Page
      title="Statements"
      aside={<DownloadLink file="statements.csv">All months (CSV)</DownloadLink>}
    >
      {chosen === undefined ? (
        <Panel>
          <EmptyState title="No statements yet" text="The first begins with your first funds." />
        </Panel>
      ) : (
        <Panel
          title="Month in UTC"
          aside={
            <>
              <PlainSelect
                aria-label="Month"
                className="h-7 border-line-strong!"
                value={nameOfMonth(chosen)}
                options={months.map((monthMs) => ({
                  value: nameOfMonth(monthMs),
                  label: formatMonth(monthMs, "UTC"),
                }))}
                onChange={(month) =>
                  void navigate({ search: { month }, replace: true, resetScroll: false })
                }
              />
              <DownloadLink file="statements.csv" search={{ month: nameOfMonth(chosen) }}>
                CSV
              </DownloadLink>
            </>
          }
        >
          <StatementPanel monthMs={chosen} />
        </Panel>
      )}
    </Page>
  );
}
