import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { ReviewPanels } from "../../features/admin/transfers-panel.tsx";

export const Route = createFileRoute("/_admin/admin/transfers")({
  head: () => ({ meta: [{ title: "Transfers" }] }),
  component: TransfersPage,
});

function TransfersPage() {
  const { userId } = Route.useRouteContext();
  return (
    <AdminPage>
      <ReviewPanels ownId={userId} />
    </AdminPage>
  );
}
