import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { functions } from "#contract/functions.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { useBackend } from "../../session/use-backend.ts";
import { Panel } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { mailsQuery, usersQuery } from "./admin-queries.ts";
import { AuditList } from "./audit-list.tsx";
import { HealthPanel } from "./health-panel.tsx";
import { NodesPanel } from "./nodes-panel.tsx";
import { STATUS_TEXTS } from "./market-texts.ts";

const EVENTS_SHOWN = 8;

/** Overview for administrators: health, pending work and recent events. */
export function AdminOverview() {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <HealthPanel />
      <Panel title="At a glance">
        <ul className="divide-y">
          <MarketsRow />
          <AdjustmentsRow />
          <TransfersRow />
          <UsersRow />
          <MailsRow />
        </ul>
      </Panel>
      <NodesPanel />
      <Panel
        title="Latest security events"
        className="lg:col-span-2"
        aside={
          <Link to="/admin/audit" className="rounded-sm text-accent hover:underline">
            Audit log
          </Link>
        }
      >
        <AuditList
          args={{ limit: EVENTS_SHOWN }}
          emptyText="Sign-ins and what administrators do appear here."
        />
      </Panel>
    </div>
  );
}

function MarketsRow() {
  const { data: markets, isError } = useQuery(convexQuery(functions.markets.list, {}));
  const stopped = markets?.filter(({ status }) => status !== "trading");
  return (
    <OverviewRow
      to="/admin/markets"
      title="Markets"
      isUnreadable={isError}
      isUrgent={stopped?.length !== 0}
    >
      {stopped === undefined
        ? undefined
        : stopped.length === 0
          ? markets?.length === 1
            ? "1 trading"
            : `All ${markets?.length ?? 0} trading`
          : stopped
              .map(({ symbol, status }) => `${symbol} ${STATUS_TEXTS[status].label.toLowerCase()}`)
              .join(", ")}
    </OverviewRow>
  );
}

function AdjustmentsRow() {
  const { data, isError } = useQuery(convexQuery(functions.adjustments.list, {}));
  const waiting = data?.pending.length;
  return (
    <OverviewRow
      to="/admin/adjustments"
      title="Adjustments"
      isUnreadable={isError}
      isUrgent={waiting !== 0}
    >
      {waiting === undefined ? undefined : waiting === 0 ? "None waiting" : `${waiting} waiting`}
    </OverviewRow>
  );
}

function TransfersRow() {
  const { data, isError } = useQuery(convexQuery(functions.transfers.queue, {}));
  // A deposit that has not arrived waits for its user.
  const waiting = data?.open.filter(({ status }) => status !== "requested").length;
  return (
    <OverviewRow
      to="/admin/transfers"
      title="Transfers"
      isUnreadable={isError}
      isUrgent={waiting !== 0}
    >
      {waiting === undefined
        ? undefined
        : waiting === 0
          ? "None to review"
          : `${waiting} to review`}
    </OverviewRow>
  );
}

function UsersRow() {
  const { data, isError } = useQuery(usersQuery(useBackend(), {}));
  return (
    <OverviewRow to="/admin/users" title="Users" isUnreadable={isError}>
      {data === undefined ? undefined : formatExact(data.total.toString())}
    </OverviewRow>
  );
}

function MailsRow() {
  const { data, isError } = useQuery(mailsQuery(useBackend()));
  return (
    <OverviewRow
      to="/admin/mail"
      title="Mail"
      isUnreadable={isError}
      isUrgent={(data?.failed ?? 0) > 0}
    >
      {data === undefined
        ? undefined
        : `${data.waiting === 0 ? "None" : data.waiting} waiting, ${data.failed === 0 ? "none" : data.failed} failed in 30 days`}
    </OverviewRow>
  );
}

interface GlanceRowProps {
  readonly to: LinkProps["to"];
  readonly title: string;
  readonly isUrgent?: boolean;
  readonly isUnreadable: boolean;
  /** The figure; undefined while loading. */
  readonly children: ReactNode;
}

function OverviewRow({ to, title, isUrgent = false, isUnreadable, children }: GlanceRowProps) {
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-11 items-center gap-4 px-4 py-2.5 text-sm hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="w-24 shrink-0 font-medium">{title}</span>
        <span
          className={`min-w-0 flex-1 text-xs ${isUrgent && children !== undefined ? "text-warn" : "text-muted"}`}
        >
          {children ?? (isUnreadable ? "Could not be read" : <Skeleton className="h-4 w-32" />)}
        </span>
        <ChevronRight className="size-4 shrink-0 text-faint" aria-hidden />
      </Link>
    </li>
  );
}
