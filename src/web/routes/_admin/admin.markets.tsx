import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { MarketsPanel } from "../../features/admin/markets-panel.tsx";

export const Route = createFileRoute("/_admin/admin/markets")({
  head: () => ({ meta: [{ title: "Market states" }] }),
  component: MarketsPage,
});

function MarketsPage() {
  return (
    <AdminPage>
      <MarketsPanel />
    </AdminPage>
  );
}
