import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import type { ActivityItem } from "#contract/types.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { statusText } from "../activity/activity-kinds.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";

const SHOWN = 8;

/** The newest things that happened to the account. */
export function RecentActivityPanel({ items }: { readonly items: readonly ActivityItem[] }) {
  const timeZone = useTimeZone();
  return (
    <Panel
      title="Recent activity"
      aside={
        <Link to="/activity" className="rounded-sm text-accent hover:underline">
          All activity
        </Link>
      }
    >
      {items.length === 0 ? (
        <EmptyState
          icon={History}
          title="Nothing happened yet"
          text="Orders, fills and transfers appear here."
        />
      ) : (
        <ul className="divide-y text-xs">
          {items.slice(0, SHOWN).map((item) => (
            <li
              key={item.id}
              className="flex min-h-10 items-center justify-between gap-4 px-4 py-2"
            >
              <span className="min-w-0 truncate">{item.title}</span>
              <span className="flex shrink-0 flex-col items-end sm:flex-row sm:items-center sm:gap-4">
                <span className="text-muted">{statusText(item.status)}</span>
                <time dateTime={new Date(item.time).toISOString()} className="figures text-faint">
                  {formatShortDateTime(item.time, timeZone)}
                </time>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
