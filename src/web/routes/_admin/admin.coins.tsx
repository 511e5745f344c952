import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { CoinsPanel } from "../../features/admin/catalogue/coins-panel.tsx";

export const Route = createFileRoute("/_admin/admin/coins")({
  head: () => ({ meta: [{ title: "Coins, administration" }] }),
  component: CoinsPage,
});

function CoinsPage() {
  return (
    <AdminPage>
      <CoinsPanel />
    </AdminPage>
  );
}
