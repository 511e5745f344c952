import {
  ArrowDownToLine,
  ArrowLeftRight,
  BadgeCheck,
  ListOrdered,
  type LucideIcon,
  Shield,
} from "lucide-react";
import type { ActivityItem, ActivityKind } from "#contract/users.ts";
import { SecurityEventIcon } from "../../ui/security-event-icon.tsx";

const KIND_ICONS = {
  order: ListOrdered,
  fill: ArrowLeftRight,
  transfer: ArrowDownToLine,
  plan: BadgeCheck,
  security: Shield,
} as const satisfies Record<ActivityKind, LucideIcon>;

/** The icon of an activity row. Decorative: the row's text carries the same information. */
export function ActivityIcon({ item }: { readonly item: ActivityItem }) {
  const { kind, security, status } = item;
  if (security !== undefined) {
    return <SecurityEventIcon kind={security.event} isRefused={status === "refused"} />;
  }
  const Icon = KIND_ICONS[kind];
  return <Icon aria-hidden className="size-4 shrink-0 text-faint" />;
}
