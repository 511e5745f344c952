import type { ActivityKind } from "#contract/users.ts";

type KindFilter = ActivityKind | "all";

export const KIND_FILTERS: readonly { readonly value: KindFilter; readonly label: string }[] = [
  { value: "all", label: "Everything" },
  { value: "order", label: "Orders" },
  { value: "fill", label: "Fills" },
  { value: "transfer", label: "Transfers" },
  { value: "plan", label: "Plan" },
  { value: "security", label: "Security" },
];

/** Formats an order's status: "partiallyFilled" → "Partially filled". */
export function statusText(status: string): string {
  const words = status.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
