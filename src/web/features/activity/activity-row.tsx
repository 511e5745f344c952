import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { ActivityItem, ActivityKind } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { directionOf } from "../../format/money.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { Change } from "../../ui/change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { statusText } from "./activity-kinds.ts";
import { LedgerEntries } from "./ledger-entries.tsx";

const KINDS = {
  order: "Order",
  fill: "Fill",
  transfer: "Transfer",
  plan: "Plan",
  security: "Security",
} as const satisfies Record<ActivityKind, string>;

const GRID =
  "grid w-full grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 text-left text-xs md:grid-cols-[9rem_5rem_1fr_12rem_6rem_1rem]";

/** One thing that happened; opens the postings that it made. */
export function ActivityRow({ item }: { readonly item: ActivityItem }) {
  const [open, setOpen] = useState(false);
  const postingsId = useId();
  if (item.postings === null) {
    return (
      <li className={GRID}>
        <RowContent item={item} />
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={postingsId}
        onClick={() => setOpen(!open)}
        className={classNames(GRID, "hover:bg-hover focus-visible:-outline-offset-2")}
      >
        <RowContent item={item} />
        <ChevronRight
          aria-hidden
          className={classNames(
            "hidden size-4 text-faint transition-transform md:block",
            open && "rotate-90",
          )}
        />
      </button>
      <div id={postingsId} hidden={!open} className="border-t bg-page">
        {open ? <LedgerEntries item={item} selection={item.postings} /> : null}
      </div>
    </li>
  );
}

function RowContent({ item }: { readonly item: ActivityItem }) {
  const timeZone = useTimeZone();
  return (
    <>
      <time
        dateTime={new Date(item.time).toISOString()}
        className="figures order-3 text-faint md:order-none"
      >
        {formatShortDateTime(item.time, timeZone)}
      </time>
      <span className="order-4 flex items-center gap-2 justify-self-end md:order-none md:justify-self-start">
        <span className="text-muted md:hidden">{statusText(item.status)}</span>
        <Badge>{KINDS[item.kind]}</Badge>
      </span>
      <span className="order-1 min-w-0 truncate text-sm text-text md:order-none md:text-xs">
        {item.title}
      </span>
      <span className="figures order-2 text-right md:order-none">
        {item.amount === null ? null : (
          <Change
            text={`${directionOf(item.amount) === "up" ? "+" : ""}${formatExact(item.amount)} ${item.coin ?? ""}`}
            direction={directionOf(item.amount)}
          />
        )}
      </span>
      <span className="hidden text-muted md:block">{statusText(item.status)}</span>
    </>
  );
}
