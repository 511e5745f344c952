import { Download } from "lucide-react";
import { useMemo } from "react";
import type { AuditEvent } from "#contract/users.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { auditCsv } from "./audit-csv.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import { auditArgsOf, type AuditSearch, isAuditFiltered } from "./audit-search.ts";

interface AuditLogProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** Everybody's security events: filters are in the address. */
export function AuditLog({ search, onChange }: AuditLogProps) {
  const args = useMemo(() => auditArgsOf(search), [search]);
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
        Footer={ExportButton}
      />
    </Panel>
  );
}

function ExportButton({ events }: { readonly events: readonly AuditEvent[] }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([auditCsv(events)], { type: "text/csv" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = "audit-log.csv";
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Button size="sm" disabled={events.length === 0} onClick={save}>
      <Download className="size-3.5" aria-hidden />
      Export {events.length} loaded {events.length === 1 ? "row" : "rows"} (CSV)
    </Button>
  );
}
