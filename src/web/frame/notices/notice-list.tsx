import { useConvexAction } from "@convex-dev/react-query";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Notice, RecentNotices } from "#contract/notices.ts";
import { READ_ONLY_SENTENCE, useIsReadOnly } from "../../session/read-only.ts";
import { useBackend } from "../../session/use-backend.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { NoticeItem } from "./notice-item.tsx";

/** The server's limit of notices per user; older events are only in the activity. */
const NOTICES_MAX = 200;

interface NoticeListProps {
  /** The newest notices; undefined while they load. */
  readonly recent: RecentNotices | undefined;
  readonly onClose: () => void;
}

/** The notices, newest first: recent ones are live, older ones are loaded on request. */
export function NoticeList({ recent, onClose }: NoticeListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const older = useAllNotices(recent, showsAll);
  const backend = useBackend();
  const isReadOnly = useIsReadOnly();
  const markRead = useMutation({
    mutationFn: (noticeId: string) =>
      backend.mutation(functions.notices.markRead, { noticeIds: [noticeId] }),
  });
  const markAllRead = useMutation({
    mutationFn: (until: number) => backend.mutation(functions.notices.markAllRead, { until }),
  });
  if (recent === undefined) return <NoticesLoading />;
  const notices = older.notices ?? recent.notices;
  const newest = recent.notices.at(0);
  if (newest === undefined) {
    return (
      <EmptyState
        icon={Bell}
        title="No notices yet"
        text="Fills, ended orders, alerts, funds and sign-ins from new places appear here."
        className="flex-1"
      />
    );
  }
  const open = (notice: Notice) => {
    if (!notice.isRead && !isReadOnly) markRead.mutate(notice.noticeId);
    onClose();
  };
  const mayHaveOlder = !showsAll && recent.hasOlder;
  return (
    <>
      <div className="flex h-9 shrink-0 items-center justify-between border-b pl-4 pr-2 text-xs text-muted">
        <output>{recent.unread === 0 ? "Everything is read" : `${recent.unread} unread`}</output>
        <Button
          size="sm"
          variant="ghost"
          disabled={recent.unread === 0 || isReadOnly}
          title={isReadOnly ? READ_ONLY_SENTENCE : undefined}
          busy={markAllRead.isPending}
          onClick={() => markAllRead.mutate(newest.time)}
        >
          Mark all read
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ul aria-label="Notices" className="divide-y">
          {notices.map((notice) => (
            <NoticeItem key={notice.noticeId} notice={notice} onOpen={open} />
          ))}
        </ul>
        {mayHaveOlder || older.isLoading ? (
          <div className="flex justify-center p-2">
            <Button size="sm" busy={older.isLoading} onClick={() => setShowsAll(true)}>
              Show older
            </Button>
          </div>
        ) : null}
      </div>
    </>
  );
}

/** All notices, loaded again whenever the recent ones change. */
function useAllNotices(recent: RecentNotices | undefined, isWanted: boolean) {
  const read = useConvexAction(functions.notices.page);
  const { data, isLoading } = useQuery({
    queryKey: ["allNotices", recent?.notices[0]?.noticeId, recent?.unread],
    queryFn: () => read({ limit: NOTICES_MAX }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return { notices: isWanted ? data?.items : undefined, isLoading };
}

function NoticesLoading() {
  return (
    <div aria-busy className="grid gap-3 p-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}
