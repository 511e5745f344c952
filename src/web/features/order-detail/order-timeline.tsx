import { Link } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  CircleDot,
  CircleStop,
  Hourglass,
  type LucideIcon,
  Pencil,
  Scissors,
  Zap,
} from "lucide-react";
import type { OrderLife, OrderStep } from "#contract/order-life.ts";
import { PostingsTable } from "../../format/postings-table.tsx";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { stepWords } from "./step-words.ts";

const ICONS: Record<OrderStep["kind"], LucideIcon> = {
  placed: CircleDot,
  waiting: Hourglass,
  activated: Zap,
  amended: Pencil,
  decremented: Scissors,
  filled: ArrowLeftRight,
  ended: CircleStop,
};

/** The steps of an order's life, oldest first, each with its postings. */
export function OrderTimeline({ life }: { readonly life: OrderLife }) {
  const { steps, isComplete, omittedFills } = life;
  return (
    <>
      {omittedFills ? (
        <p className="border-b px-4 py-2.5 text-xs text-muted">
          Only the newest fills are listed.{" "}
          <Link
            to="/activity"
            search={{ kind: "fill" }}
            className="touchable rounded-sm text-accent hover:underline"
          >
            All fills
          </Link>
        </p>
      ) : null}
      <ol className="divide-y">
        {steps.map((step, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps are only ever added at the end
          <Step key={index} step={step} life={life} />
        ))}
      </ol>
      {isComplete ? null : (
        <output className="block border-t px-4 py-2.5 text-xs text-warn">
          The newest steps are not in the history yet; they appear here within seconds.
        </output>
      )}
    </>
  );
}

function Step({ step, life: { order } }: { readonly step: OrderStep; readonly life: OrderLife }) {
  const timeZone = useTimeZone();
  const { title, detail } = stepWords(step, order);
  const Icon = ICONS[step.kind];
  const count = step.postings.length;
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 px-4 py-3">
      <Icon aria-hidden className="mt-0.5 size-4 text-faint" />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
          <h3 className="text-sm font-medium">{title}</h3>
          <time dateTime={new Date(step.time).toISOString()} className="figures text-xs text-muted">
            {formatDateTime(step.time, timeZone)}
          </time>
        </div>
        {detail === null ? null : <p className="mt-0.5 text-xs text-pretty text-muted">{detail}</p>}
        {step.kind === "filled" ? (
          <p className="mt-1 text-xs">
            <Link
              to="/fills/$orderId/$tradeId"
              params={{ orderId: order.orderId, tradeId: step.fill.tradeId.toString() }}
              className="touchable rounded-sm text-accent hover:underline"
            >
              Explain this trade
            </Link>
          </p>
        ) : null}
        {count === 0 ? null : (
          <details className="mt-1.5">
            <summary className="w-fit cursor-pointer rounded-sm text-xs text-muted hover:text-text pointer-coarse:py-2">
              {count} ledger postings
            </summary>
            <div className="mt-1.5 rounded-md border">
              <PostingsTable label={`Ledger postings of: ${title}`} entries={step.postings} />
            </div>
          </details>
        )}
      </div>
    </li>
  );
}
