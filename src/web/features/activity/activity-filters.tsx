import { useEffect, useState } from "react";
import { useBackend } from "../../session/use-backend.ts";
import { ExportButton } from "../../ui/export-button.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { Select } from "../../ui/select.tsx";
import { activityPieces } from "./activity-csv.ts";
import { KIND_FILTERS, type ActivitySearch } from "./activity-kinds.ts";

const TYPING_PAUSE_MS = 250;

interface ActivityFiltersProps extends ActivitySearch {
  readonly onChange: (search: ActivitySearch) => void;
}

export function ActivityFilters({ kind, search, onChange }: ActivityFiltersProps) {
  const backend = useBackend();
  const [text, setText] = useState(search ?? "");
  useEffect(() => {
    if (text.trim() === (search ?? "").trim()) return undefined;
    const timer = setTimeout(() => onChange({ kind, search: text }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, kind, search, onChange]);
  return (
    <div className="flex flex-wrap items-center gap-3 border-b p-3">
      <SearchInput
        label="Search activity"
        value={text}
        onChange={setText}
        className="w-full sm:w-64"
      />
      <Select
        aria-label="Kind of activity"
        className="w-full sm:w-40"
        value={kind ?? "all"}
        options={KIND_FILTERS}
        onChange={(value) => onChange({ kind: value, search: text })}
      />
      <span className="ml-auto">
        <ExportButton
          label="Export (CSV)"
          fileName="activity.csv"
          pieces={() => activityPieces(backend, { kind, search })}
        />
      </span>
    </div>
  );
}
