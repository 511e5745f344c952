import { useMemo } from "react";
import { useTimeZone } from "../../format/time.ts";
import { DownloadLink } from "../../ui/download-link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import { auditArgsOf, type AuditSearch, isAuditFiltered } from "./audit-search.ts";

interface AuditLogProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** Security events of all users; the filters are in the address. */
export function AuditLog({ search, onChange }: AuditLogProps) {
  const timeZone = useTimeZone();
  const args = useMemo(() => auditArgsOf(search, timeZone), [search, timeZone]);
  return (
    <Panel>
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
    </Panel>
  );
}
