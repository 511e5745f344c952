import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { functions } from "#contract/functions.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useAnnouncing } from "./announcing.ts";

/** Loaded when the bell is opened. */
const NoticeCentre = lazyComponent(() => import("./notice-centre.tsx"));

const recentQuery = convexQuery(functions.notices.recent, {});
const COUNTED_MAX = 99;

/** Counts unread notices and opens the notification centre. */
export function NoticeBell() {
  // Not once per frame: a hidden page has none, and announces outside of itself.
  const { data } = useQuery(recentQuery);
  const recent = data ?? undefined;
  useAnnouncing(recent?.notices);
  const unread = recent?.unread ?? 0;
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
      className="h-[min(36rem,80dvh)] w-[min(26rem,calc(100vw-1rem))] rounded-lg open:flex open:flex-col"
    >
      {(close) => (
        <PanelBoundary>
          <NoticeCentre recent={recent} onClose={close} />
        </PanelBoundary>
      )}
    </Popover>
  );
}
