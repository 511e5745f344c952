import { useMemo } from "react";
import { useTimeZone } from "../../format/time.ts";
import { DownloadLink } from "../../ui/download-link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { AdminChanges } from "./admin-changes.tsx";
import { AuditFilters, NO_FILTERS } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import { auditArgsOf, type AuditSearch, isAuditFiltered } from "./audit-search.ts";

interface AuditLogProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** Security events of all users, or administrators' changes; the filters are in the URL. */
export function AuditLog({ search, onChange }: AuditLogProps) {
  const isOfExchange = search.of === "exchange";
  return (
    <Panel>
      <Tabs
        value={isOfExchange ? "exchange" : "accounts"}
        onValueChange={(tab) =>
          onChange({ ...NO_FILTERS, of: tab === "exchange" ? "exchange" : undefined })
        }
      >
        <TabsList aria-label="What is on record" className="px-2">
          <TabsTrigger value="accounts">Sign-in and accounts</TabsTrigger>
          <TabsTrigger value="exchange">Exchange</TabsTrigger>
        </TabsList>
        <TabsContent value="accounts">
          <SecurityEvents search={search} onChange={onChange} />
        </TabsContent>
        <TabsContent value="exchange">
          <AdminChanges search={search} onChange={onChange} />
        </TabsContent>
      </Tabs>
    </Panel>
  );
}

function SecurityEvents({ search, onChange }: AuditLogProps) {
  const timeZone = useTimeZone();
  const args = useMemo(() => auditArgsOf(search, timeZone), [search, timeZone]);
  return (
    <>
      <AuditFilters search={search} onChange={onChange} />
      <AuditList
        args={args}
        emptyText={
          isAuditFiltered(search)
            ? "Try another user, word, kind or day."
            : "Sign-ins and what administrators do appear here."
        }
        footer={
          <DownloadLink file="audit.csv" search={{ ...args }}>
            Export all rows (CSV)
          </DownloadLink>
        }
      />
    </>
  );
}
