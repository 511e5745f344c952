import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { UserPage } from "../../features/admin/user-page.tsx";

export const Route = createFileRoute("/_admin/admin/users/$userId")({
  head: () => ({ meta: [{ title: "User" }] }),
  component: OneUserPage,
});

function OneUserPage() {
  const { userId } = Route.useParams();
  const { userId: ownId } = Route.useRouteContext();
  return (
    <AdminPage>
      <UserPage key={userId} userId={userId} ownId={ownId} />
    </AdminPage>
  );
}
