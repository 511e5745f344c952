import { useMemo } from "react";
import { useBackend } from "../../session/use-backend.ts";
import { ExportButton } from "../../ui/export-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { auditPieces } from "./audit-csv.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditList } from "./audit-list.tsx";
import { auditArgsOf, type AuditSearch, isAuditFiltered } from "./audit-search.ts";

interface AuditLogProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** Security events of all users; the filters are in the address. */
export function AuditLog({ search, onChange }: AuditLogProps) {
  const args = useMemo(() => auditArgsOf(search), [search]);
  const backend = useBackend();
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
          <ExportButton
            label="Export all rows (CSV)"
            fileName="audit-log.csv"
            pieces={() => auditPieces(backend, args)}
          />
        }
      />
    </Panel>
  );
}
