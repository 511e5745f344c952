import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { AuditPageArgs } from "#contract/functions.ts";
import { PagedFeed } from "../../session/paged-feed.tsx";
import { useBackend } from "../../session/use-backend.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { auditQuery } from "./admin-queries.ts";
import { AuditRow } from "./audit-row.tsx";

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
  return (
    <PagedFeed
      feed={record}
      what="record"
      empty={<EmptyState icon={ShieldCheck} title="Nothing on record" text={emptyText} />}
      footer={footer}
    >
      {(event) => <AuditRow key={event.id} event={event} isOfOneUser={isOfOneUser} />}
    </PagedFeed>
  );
}
