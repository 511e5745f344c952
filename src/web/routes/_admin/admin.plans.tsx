import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { PlansPanel } from "../../features/admin/catalogue/plans-panel.tsx";

export const Route = createFileRoute("/_admin/admin/plans")({
  head: () => ({ meta: [{ title: "Plans, administration" }] }),
  component: PlansPage,
});

function PlansPage() {
  return (
    <AdminPage>
      <PlansPanel />
    </AdminPage>
  );
}
