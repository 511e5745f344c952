import { createFileRoute } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { AdminPage } from "../../features/admin/admin-page.tsx";
import { AuditLog } from "../../features/admin/audit-log.tsx";
import { type AuditSearch, parseAuditSearch } from "../../features/admin/audit-search.ts";
import { unreadSearch } from "../../session/unread-search.ts";

export const Route = createFileRoute("/_admin/admin/audit")({
  validateSearch: unreadSearch,
  head: () => ({ meta: [{ title: "Audit log" }] }),
  component: AuditPage,
});

function AuditPage() {
  const given = Route.useSearch();
  const search = useMemo(() => parseAuditSearch(given), [given]);
  const navigate = Route.useNavigate();
  const change = useCallback(
    (change: AuditSearch) =>
      void navigate({
        search: (before) => ({ ...parseAuditSearch({ ...before, ...change }) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return (
    <AdminPage>
      <AuditLog search={search} onChange={change} />
    </AdminPage>
  );
}
