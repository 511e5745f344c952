import { createFileRoute } from "@tanstack/react-router";
import { AdjustmentsPanels } from "../../features/admin/adjustments-panel.tsx";
import { AdminPage } from "../../features/admin/admin-page.tsx";

export const Route = createFileRoute("/_admin/admin/corrections")({
  head: () => ({ meta: [{ title: "Corrections" }] }),
  component: CorrectionsPage,
});

function CorrectionsPage() {
  const { userId } = Route.useRouteContext();
  return (
    <AdminPage>
      <AdjustmentsPanels ownId={userId} />
    </AdminPage>
  );
}
