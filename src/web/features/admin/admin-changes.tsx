import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { ADMIN_CHANGE_KINDS, OPERATOR_ID, type AdminChange } from "#contract/users.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { PagedFeed } from "../../session/paged-feed.tsx";
import { useBackend } from "../../session/use-backend.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { changesQuery } from "./admin-queries.ts";
import { KindField, RecordFilters } from "./audit-filters.tsx";
import { type AuditSearch, changesArgsOf, isAuditFiltered } from "./audit-search.ts";
import { CHANGE_TEXTS, differencesOf, subjectText } from "./change-texts.ts";

interface AdminChangesProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** Changes that administrators made to the exchange and to users; the filters are in the URL. */
export function AdminChanges({ search, onChange }: AdminChangesProps) {
  return (
    <>
      <RecordFilters
        className="lg:grid-cols-[minmax(0,2fr)_minmax(0,1.5fr)_9.5rem_9.5rem_auto]"
        who="Administrator"
        search={search}
        onChange={onChange}
      >
        <KindField
          value={search.change}
          kinds={ADMIN_CHANGE_KINDS}
          textOf={(kind) => CHANGE_TEXTS[kind]}
          onChange={(change) => onChange({ change })}
        />
      </RecordFilters>
      <ChangesList search={search} />
    </>
  );
}

function ChangesList({ search }: { readonly search: AuditSearch }) {
  const timeZone = useTimeZone();
  const args = useMemo(() => changesArgsOf(search, timeZone), [search, timeZone]);
  const record = useInfiniteQuery(changesQuery(useBackend(), args));
  return (
    <PagedFeed
      feed={record}
      what="changes"
      label="Changes"
      empty={
        <EmptyState
          icon={ShieldCheck}
          title="Nothing on record"
          text={
            isAuditFiltered(search)
              ? "Try another administrator, kind or day."
              : "Changes of coins, markets, plans and accounts appear here."
          }
        />
      }
    >
      {(change) => <ChangeRow key={change.sequence} change={change} timeZone={timeZone} />}
    </PagedFeed>
  );
}

interface ChangeRowProps {
  readonly change: AdminChange;
  readonly timeZone: string;
}

function ChangeRow({ change, timeZone }: ChangeRowProps) {
  const { adminEmail, adminId, kind, reason, sequence, time } = change;
  const who = adminId === OPERATOR_ID ? "command line" : (adminEmail ?? `deleted user ${adminId}`);
  return (
    <li className="grid gap-x-4 gap-y-1.5 px-4 py-2.5 text-xs lg:grid-cols-[9rem_minmax(0,13rem)_minmax(0,1fr)_minmax(0,13rem)]">
      <time
        dateTime={new Date(time).toISOString()}
        className="figures whitespace-nowrap text-faint"
        title={`Sequence ${sequence}`}
      >
        {formatShortDateTime(time, timeZone)}
      </time>
      <span className="flex min-w-0 flex-wrap items-start gap-x-2 gap-y-1">
        <Badge>{CHANGE_TEXTS[kind]}</Badge>
        <span className="min-w-0 wrap-anywhere text-text">{subjectText(change)}</span>
      </span>
      <div className="min-w-0">
        <dl className="grid gap-0.5">
          {differencesOf(change).map(({ name, before, after }) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-faint">{name}</dt>
              <dd className="wrap-anywhere">
                <span className="text-muted">{before}</span> → {after}
              </dd>
            </div>
          ))}
        </dl>
        <p className="mt-0.5 wrap-anywhere text-muted">
          <bdi>{reason}</bdi>
        </p>
      </div>
      <span className="wrap-anywhere text-faint">by {who}</span>
    </li>
  );
}
