import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { ADMIN_CHANGE_KINDS, OPERATOR_ID, type AdminChange } from "#contract/users.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { useBackend } from "../../session/use-backend.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DayField } from "../../ui/day-field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { framedSelect } from "../../ui/framed-select.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { changesQuery } from "./admin-queries.ts";
import { NO_FILTERS, TypedField } from "./audit-filters.tsx";
import { type AuditSearch, changesArgsOf, isAuditFiltered } from "./audit-search.ts";
import { CHANGE_TEXTS } from "./change-texts.ts";

const KINDS = [
  { value: "all", label: "Every kind" },
  ...ADMIN_CHANGE_KINDS.map((kind) => ({ value: kind, label: CHANGE_TEXTS[kind] })),
] as const;

interface AdminChangesProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** Changes that administrators made to the exchange and to users; the filters are in the URL. */
export function AdminChanges({ search, onChange }: AdminChangesProps) {
  return (
    <>
      <search className="grid grid-cols-2 items-end gap-3 border-b p-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,1.5fr)_9.5rem_9.5rem_auto]">
        <TypedField
          label="Administrator"
          placeholder="Email or id"
          value={search.user ?? ""}
          onChange={(user) => onChange({ user })}
        />
        <Field label="Kind">
          {(control) => (
            <PlainSelect
              {...control}
              className={framedSelect}
              value={search.change ?? "all"}
              options={KINDS}
              onChange={(kind) => onChange({ change: kind === "all" ? undefined : kind })}
            />
          )}
        </Field>
        <DayField label="From" value={search.from} onChange={(from) => onChange({ from })} />
        <DayField label="To" value={search.to} onChange={(to) => onChange({ to })} />
        <Button
          variant="ghost"
          className={isAuditFiltered(search) ? "max-lg:col-span-2" : "max-lg:hidden"}
          disabled={!isAuditFiltered(search)}
          onClick={() => onChange(NO_FILTERS)}
        >
          Clear
        </Button>
      </search>
      <ChangesList search={search} />
    </>
  );
}

function ChangesList({ search }: { readonly search: AuditSearch }) {
  const timeZone = useTimeZone();
  const args = useMemo(() => changesArgsOf(search, timeZone), [search, timeZone]);
  const record = useInfiniteQuery(changesQuery(useBackend(), args));
  if (record.data === undefined) {
    if (!record.isError) {
      return (
        <div className="grid gap-3 p-4">
          <LoadingText />
          <Skeleton className="h-72" />
        </div>
      );
    }
    const again = (
      <Button size="sm" onClick={() => void record.refetch()}>
        Try again
      </Button>
    );
    const text = errorSentence(record.error);
    return <EmptyState title="The changes could not be read" text={text} action={again} />;
  }
  const changes = record.data.pages.flatMap((page) => page.items);
  if (changes.length === 0) {
    const text = isAuditFiltered(search)
      ? "Try another administrator, kind or day."
      : "Changes of coins, markets, plans and accounts appear here.";
    return <EmptyState icon={ShieldCheck} title="Nothing on record" text={text} />;
  }
  return (
    <>
      <ul aria-label="Changes" className="divide-y" aria-busy={record.isPlaceholderData}>
        {changes.map((change) => (
          <ChangeRow key={change.sequence} change={change} timeZone={timeZone} />
        ))}
      </ul>
      <div className="border-t px-4 py-2.5 text-xs text-faint">
        {record.hasNextPage ? (
          <Button
            size="sm"
            busy={record.isFetchingNextPage}
            onClick={() => void record.fetchNextPage()}
          >
            Show older
          </Button>
        ) : (
          "That is everything."
        )}
      </div>
    </>
  );
}

interface ChangeRowProps {
  readonly change: AdminChange;
  readonly timeZone: string;
}

function ChangeRow({ change, timeZone }: ChangeRowProps) {
  const { adminEmail, adminId, differences, kind, reason, sequence, subject, time } = change;
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
        <span className="min-w-0 wrap-anywhere text-text">{change.userEmail ?? subject}</span>
      </span>
      <div className="min-w-0">
        <dl className="grid gap-0.5">
          {differences.map(({ name, before, after }) => (
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
