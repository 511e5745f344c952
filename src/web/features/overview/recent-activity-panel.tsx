import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import type { ActivityItem } from "#contract/users.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { statusText } from "../activity/activity-kinds.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";

const SHOWN_MAX = 8;

/** The user's latest activity. */
export function RecentActivityPanel({ items }: { readonly items: readonly ActivityItem[] }) {
  const timeZone = useTimeZone();
  return (
    <Panel
      title="Recent activity"
      aside={
        <Link to="/activity" className="touchable rounded-sm text-accent hover:underline">
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
          {items.slice(0, SHOWN_MAX).map((item) => (
            <li
              key={item.id}
              className="px-4 py-2 sm:max-lg:flex sm:max-lg:justify-between sm:max-lg:gap-4"
            >
              <p className="wrap-anywhere text-pretty">{formatNumbersIn(item.title)}</p>
              <p className="mt-0.5 flex justify-between gap-4 sm:max-lg:mt-0 sm:max-lg:shrink-0 sm:max-lg:flex-row-reverse">
                <time dateTime={new Date(item.time).toISOString()} className="figures text-faint">
                  {formatShortDateTime(item.time, timeZone)}
                </time>
                <span className="text-muted">{statusText(item.status)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
