import type { ActivityKind } from "#contract/users.ts";

export type KindFilter = ActivityKind | "all";

export const KIND_FILTERS: readonly { readonly value: KindFilter; readonly label: string }[] = [
  { value: "all", label: "Everything" },
  { value: "order", label: "Orders" },
  { value: "fill", label: "Fills" },
  { value: "transfer", label: "Transfers" },
  { value: "plan", label: "Plan" },
  { value: "security", label: "Security" },
];

export interface ActivitySearch {
  readonly kind?: KindFilter | undefined;
  readonly search?: string | undefined;
}

const SEARCH_LENGTH_MAX = 100;

/** The page's search parameters; invalid ones are ignored. */
export function readActivitySearch(given: Record<string, unknown>): ActivitySearch {
  const kind = KIND_FILTERS.find(({ value }) => value === given["kind"])?.value;
  const search =
    typeof given["search"] === "string" ? given["search"].slice(0, SEARCH_LENGTH_MAX) : "";
  return {
    kind: kind === "all" ? undefined : kind,
    search: search.trim() === "" ? undefined : search,
  };
}

/** "partiallyFilled" → "Partially filled" */
export function statusText(status: string): string {
  const words = status.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
