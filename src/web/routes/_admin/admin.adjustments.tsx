import { createFileRoute } from "@tanstack/react-router";
import { AdjustmentsPanels } from "../../features/admin/adjustments-panel.tsx";
import { AdminPage } from "../../features/admin/admin-page.tsx";

export const Route = createFileRoute("/_admin/admin/adjustments")({
  head: () => ({ meta: [{ title: "Adjustments" }] }),
  component: AdjustmentsPage,
});

function AdjustmentsPage() {
  const { userId } = Route.useRouteContext();
  return (
    <AdminPage>
      <AdjustmentsPanels ownId={userId} />
    </AdminPage>
  );
}
