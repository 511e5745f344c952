import { formatSpan } from "../format/time.ts";
import { useDataAge } from "./connection.ts";

/** The age of a panel's data, in its heading; shown only while the data is stale. */
export function DataAge() {
  const ageMs = useDataAge();
  if (ageMs === null) return null;
  return (
    <span className="figures shrink-0 rounded-sm border border-warn/40 bg-warn-soft px-1 text-2xs font-medium text-warn">
      {formatSpan(ageMs)} old
    </span>
  );
}
