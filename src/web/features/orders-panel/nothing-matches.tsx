import { ListFilter } from "lucide-react";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Shown if there are rows, but the filter excludes them all. */
export function NothingMatches() {
  return (
    <EmptyState
      icon={ListFilter}
      title="Nothing matches"
      text="Choose another market, side or kind in the filter."
    />
  );
}
