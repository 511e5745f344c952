import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { useEffect, useRef } from "react";
import { functions } from "#contract/functions.ts";
import type { Notice } from "#contract/notices.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { forgetWantedAlert, useWantedAlert } from "../../session/wanted-alert.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";

/** Loaded when the user opens it. */
const NoticeCentre = lazyComponent(() => import("./notice-centre.tsx"));

const recentQuery = convexQuery(functions.notices.recent, {});
const COUNTED_MAX = 99;

/** A button with the number of unread notices that opens the notification centre. */
export function NoticeBell() {
  // Not useFrameQuery: a hidden page has no animation frames, but announces notices outside the
  // page.
  const { data } = useQuery(recentQuery);
  const recent = data ?? undefined;
  useAnnouncing(recent?.notices);
  const unread = recent?.unread ?? 0;
  const wantedAlert = useWantedAlert();
  const count = unread > COUNTED_MAX ? `${COUNTED_MAX}+` : `${unread}`;
  return (
    <Popover
      label="Notification centre"
      triggerLabel={unread === 0 ? "Notices" : `Notices, ${count} unread`}
      triggerClassName="relative grid size-9 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
      trigger={
        <>
          <Bell className="size-4.5" aria-hidden />
          {unread === 0 ? null : (
            <span
              aria-hidden
              className="absolute right-0 top-0 min-w-4 rounded-full bg-accent px-1 text-center text-2xs font-semibold leading-4 text-on-accent tabular"
            >
              {count}
            </span>
          )}
        </>
      }
      align="end"
      isWanted={wantedAlert !== null}
      onClosed={forgetWantedAlert}
      className="h-[min(36rem,80dvh)] w-[min(26rem,calc(100vw-1rem))] rounded-lg open:flex open:flex-col"
    >
      {(close) => (
        <PanelBoundary>
          <NoticeCentre recent={recent} wantedAlert={wantedAlert} onClose={close} />
        </PanelBoundary>
      )}
    </Popover>
  );
}

/**
 * Announces notices that arrive after the page was opened.
 * @param notices undefined while they load
 */
function useAnnouncing(notices: readonly Notice[] | undefined): void {
  const isReadOnly = useIsReadOnly();
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (notices === undefined) return;
    const ids = known.current;
    const arrived = notices.filter(({ noticeId }) => ids !== null && !ids.has(noticeId));
    known.current = new Set([...(ids ?? []), ...notices.map(({ noticeId }) => noticeId)]);
    // Not for an administrator who views as the user.
    if (arrived.length === 0 || isReadOnly) return;
    import("./announce.ts").then(
      ({ announceNotices }) => announceNotices(arrived),
      // If the code cannot be loaded, the bell still counts the notices.
      () => undefined,
    );
  }, [notices, isReadOnly]);
}
