import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { HealthPart, HealthReport } from "#contract/health.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { healthQuery } from "./admin-queries.ts";

const STATUS_LABELS = {
  ok: { label: "Healthy", tone: "buy" },
  degraded: { label: "Degraded", tone: "warn" },
  stopped: { label: "Stopped", tone: "sell" },
} as const satisfies Record<HealthReport["status"], { label: string; tone: string }>;

const PART_LABELS = {
  exchange: "Exchange",
  orders: "Orders",
  clock: "Clock",
  history: "History",
  database: "Database",
  disk: "Disk",
  mail: "Mail",
} as const satisfies Record<HealthPart, string>;

/** The health of each part of the exchange, with its problems. */
export function HealthPanel() {
  const { data: report, error } = useQuery(healthQuery);
  return (
    <Panel
      title="System health"
      aside={
        report === undefined ? undefined : (
          <Badge tone={STATUS_LABELS[report.status].tone}>
            {STATUS_LABELS[report.status].label}
          </Badge>
        )
      }
    >
      {report !== undefined ? (
        <Report report={report} />
      ) : error === null ? (
        <div className="p-4">
          <LoadingText />
          {/* As high as a health report. */}
          <Skeleton className="h-72 max-sm:h-76" />
        </div>
      ) : (
        <EmptyState
          title="The exchange did not answer"
          text="It is asked again every five seconds."
        />
      )}
    </Panel>
  );
}

function Report({ report }: { readonly report: HealthReport }) {
  const timeZone = useTimeZone();
  const { problems, warnings = [], history } = report;
  return (
    <>
      <ul aria-label="Parts" className="divide-y text-xs">
        {(Object.keys(PART_LABELS) as HealthPart[]).map((part) => {
          const problem = problems.find((each) => each.part === part);
          const Icon = problem === undefined ? CircleCheck : TriangleAlert;
          return (
            <li key={part} className="flex items-start gap-3 px-4 py-2.5">
              <Icon
                aria-hidden
                className={`mt-px size-4 shrink-0 ${problem === undefined ? "text-buy" : "text-warn"}`}
              />
              <span className="w-20 shrink-0 font-medium">{PART_LABELS[part]}</span>
              <span className={problem === undefined ? "text-muted" : "text-warn"}>
                {problem === undefined
                  ? "No problem"
                  : `${problem.reason}, since ${formatDateTime(Date.parse(problem.since), timeZone)}`}
              </span>
            </li>
          );
        })}
        {warnings.map((warning) => (
          <li key={warning} className="flex items-start gap-3 px-4 py-2.5 text-warn">
            <TriangleAlert aria-hidden className="mt-px size-4 shrink-0" />
            {warning}
          </li>
        ))}
      </ul>
      <dl className="grid grid-cols-3 gap-px border-t bg-line text-xs [&>div]:bg-surface [&>div]:px-4 [&>div]:py-2.5 [&>div:first-child]:rounded-bl-lg [&>div:last-child]:rounded-br-lg [&_dd]:mt-0.5 [&_dt]:text-faint">
        <div>
          <dt>Commands so far</dt>
          <dd className="figures">{formatExact(report.sequence.toString())}</dd>
        </div>
        <div>
          <dt>Not durable yet</dt>
          <dd className="figures">{formatExact(report.lag.toString())}</dd>
        </div>
        <div>
          <dt>Not in history yet</dt>
          <dd className="figures">{formatExact(history.lag.toString())}</dd>
        </div>
      </dl>
    </>
  );
}
