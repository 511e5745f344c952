import { createFileRoute } from "@tanstack/react-router";
import { AdminOverview } from "../../features/admin/admin-overview.tsx";
import { AdminPage } from "../../features/admin/admin-page.tsx";

export const Route = createFileRoute("/_admin/admin/")({
  head: () => ({ meta: [{ title: "Administration" }] }),
  component: OverviewPage,
});

function OverviewPage() {
  return (
    <AdminPage>
      <AdminOverview />
    </AdminPage>
  );
}
