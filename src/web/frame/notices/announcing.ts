/** Which notices a page announces: those that arrive while it is open. */
import { useEffect, useRef } from "react";
import type { Notice } from "#contract/notices.ts";
import { notifyOutsidePage } from "../../session/browser-notifications.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { showToast } from "../../ui/toast.ts";

/** More at once, such as after an outage, are one message. */
const ANNOUNCED_MAX = 3;

/**
 * The unread notices that are not in `seen`, oldest first; all of them are then.
 * @param isFirst the page has just opened: nothing is new
 */
export function newNotices(
  notices: readonly Notice[],
  seen: Set<string>,
  isFirst: boolean,
): Notice[] {
  const found = notices.filter(({ isRead, noticeId }) => !isRead && !seen.has(noticeId));
  for (const { noticeId } of notices) seen.add(noticeId);
  return isFirst ? [] : found.toReversed();
}

/** Notices with the same place replace each other: those of one order's fills. */
export function placeOf({ kind, noticeId }: Notice): string {
  return kind === "fill" ? noticeId.split(":").slice(0, 2).join(":") : noticeId;
}

/** Announces on the page and outside of it what arrives. @param notices undefined while they load */
export function useAnnouncing(notices: readonly Notice[] | undefined): void {
  const isReadOnly = useIsReadOnly();
  const seen = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (notices === undefined) return;
    const isFirst = seen.current === null;
    seen.current ??= new Set();
    const arrived = newNotices(notices, seen.current, isFirst);
    // An administrator who views as the user is not the one to be told.
    if (isReadOnly) return;
    for (const notice of arrived) {
      if (!notice.announce.browser) continue;
      notifyOutsidePage(notice.title, notice.detail, placeOf(notice));
    }
    const onPage = arrived.filter(({ announce }) => announce.page);
    if (onPage.length > ANNOUNCED_MAX) {
      showToast("info", `${onPage.length} new notices`, "The bell at the top lists them.");
      return;
    }
    for (const notice of onPage) {
      const kind = notice.kind === "fill" ? "success" : "info";
      showToast(kind, notice.title, notice.detail, placeOf(notice));
    }
  }, [notices, isReadOnly]);
}
