/** Tells what has arrived while the page is open, on the page and outside of it. */
import type { Notice } from "#contract/notices.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { notifyOutsidePage } from "../../session/browser-notifications.ts";
import { showToast } from "../../ui/toast.ts";

/** More at once, such as after an outage, are one message. */
const TOASTS_MAX = 3;

/** @param arrived newest first */
export function announce(arrived: readonly Notice[]): void {
  const unread = arrived.filter(({ isRead }) => !isRead).toReversed();
  for (const notice of unread) {
    if (!notice.announce.browser) continue;
    const { title, detail } = wordsOf(notice);
    notifyOutsidePage(title, detail, placeOf(notice));
  }
  const onPage = unread.filter((notice) => notice.announce.page);
  if (onPage.length > TOASTS_MAX) {
    showToast("info", `${onPage.length} new notices`, "The bell at the top lists them.");
    return;
  }
  for (const notice of onPage) {
    const kind = notice.kind === "fill" ? "success" : "info";
    const { title, detail } = wordsOf(notice);
    showToast(kind, title, detail, placeOf(notice));
  }
}

/** In the viewer's number format. */
function wordsOf({ title, detail }: Notice): Pick<Notice, "title" | "detail"> {
  return { title: formatNumbersIn(title), detail: formatNumbersIn(detail) };
}

/** Notices with the same place replace each other: those of one order's fills. */
function placeOf({ kind, noticeId }: Notice): string {
  return kind === "fill" ? noticeId.split(":").slice(0, 2).join(":") : noticeId;
}
