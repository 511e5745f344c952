import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { CoinDetailsButton } from "../../features/coin-details/coin-details-button.tsx";
import { FreshSessionProvider, useFreshSession } from "../../features/settings/fresh-session.tsx";
import { TransfersPanels } from "../../features/transfers/transfers-panels.tsx";
import { Page } from "../../frame/page.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { Panel } from "../../ui/panel.tsx";

const userQuery = convexQuery(functions.users.current, {});
const optionsQuery = convexQuery(functions.transfers.options, {});
const mineQuery = convexQuery(functions.transfers.mine, {});
const addressesQuery = convexQuery(functions.transfers.addresses, {});

export const Route = createFileRoute("/_app/transfers")({
  head: () => ({ meta: [{ title: "Deposit and withdraw" }] }),
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.ensureQueryData(optionsQuery),
      queryClient.ensureQueryData(mineQuery),
      queryClient.ensureQueryData(addressesQuery),
    ]);
  },
  pendingComponent: PageSkeleton,
  component: TransfersPage,
});

function TransfersPage() {
  const { data: user } = useSuspenseQuery(userQuery);
  const { data: options } = useSuspenseQuery(optionsQuery);
  if (user === null) return null;
  return (
    <Page title="Deposit and withdraw">
      {options.funded ? (
        <FreshSessionProvider email={user.email}>
          <Transfers />
        </FreshSessionProvider>
      ) : (
        <Panel>
          <EmptyState
            title="This exchange trades practice money"
            text="Nothing is deposited or withdrawn. Take practice funds on the dashboard."
          />
        </Panel>
      )}
    </Page>
  );
}

function Transfers() {
  const run = useFreshSession();
  const { data: options } = useSuspenseQuery(optionsQuery);
  const { data: transfers } = useSuspenseQuery(mineQuery);
  const { data: addresses } = useSuspenseQuery(addressesQuery);
  return (
    <TransfersPanels
      options={options}
      transfers={transfers}
      addresses={addresses}
      run={run}
      about={CoinDetailsButton}
    />
  );
}
