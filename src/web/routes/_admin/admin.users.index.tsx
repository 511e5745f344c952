import { createFileRoute } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { UsersList } from "../../features/admin/users-list.tsx";
import { parseUsersSearch, type UsersSearch } from "../../features/admin/users-search.ts";
import { unreadSearch } from "../../session/unread-search.ts";

export const Route = createFileRoute("/_admin/admin/users/")({
  validateSearch: unreadSearch,
  head: () => ({ meta: [{ title: "Users" }] }),
  component: UsersPage,
});

function UsersPage() {
  const given = Route.useSearch();
  const search = useMemo(() => parseUsersSearch(given), [given]);
  const navigate = Route.useNavigate();
  const change = useCallback(
    (change: UsersSearch) =>
      void navigate({
        // Changing anything but the page number returns to the first page.
        search: (before) => ({ ...parseUsersSearch({ ...before, page: undefined, ...change }) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return (
    <AdminPage>
      <UsersList search={search} onChange={change} />
    </AdminPage>
  );
}
