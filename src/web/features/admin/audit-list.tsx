import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { AuditPageArgs } from "#contract/functions.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { useBackend } from "../../session/use-backend.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { auditQuery } from "./admin-queries.ts";
import { AuditRow } from "./audit-row.tsx";

const SKELETON_ROWS = Array.from({ length: 8 }, (_, row) => row);

interface AuditListProps {
  readonly args: AuditPageArgs;
  /** Whether all events belong to one user, whose address is then not repeated in every row. */
  readonly isOfOneUser?: boolean;
  /** Text of the empty list. */
  readonly emptyText: string;
  /** Content below the loaded rows, beside the button that loads more. */
  readonly footer?: ReactNode;
}

/** Security events, newest first, loaded page by page. */
export function AuditList({ args, isOfOneUser = false, emptyText, footer }: AuditListProps) {
  const record = useInfiniteQuery(auditQuery(useBackend(), args));
  if (record.data === undefined) {
    if (!record.isError) return <RowsLoading />;
    return (
      <EmptyState
        title="The record could not be read"
        text={errorSentence(record.error)}
        action={
          <Button size="sm" onClick={() => void record.refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  const events = record.data.pages.flatMap((page) => page.items);
  // A page may be empty although more follow: the server scans a limited number of events per page.
  if (events.length === 0 && !record.hasNextPage) {
    return <EmptyState icon={ShieldCheck} title="Nothing on record" text={emptyText} />;
  }
  return (
    <>
      <ul className="divide-y" aria-busy={record.isPlaceholderData}>
        {events.map((event) => (
          <AuditRow key={event.id} event={event} isOfOneUser={isOfOneUser} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t px-4 py-2.5 text-xs text-faint">
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
        {footer}
      </div>
    </>
  );
}

function RowsLoading() {
  return (
    <div className="divide-y">
      <LoadingText />
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-10 items-center px-4">
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}
