import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { MailPanel } from "../../features/admin/mail-panel.tsx";

export const Route = createFileRoute("/_admin/admin/mail")({
  head: () => ({ meta: [{ title: "Mail" }] }),
  component: MailPage,
});

function MailPage() {
  return (
    <AdminPage>
      <MailPanel />
    </AdminPage>
  );
}
