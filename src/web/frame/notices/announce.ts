/** Announces notices that arrive while the page is open, as toasts and as browser notifications. */
import type { Notice } from "#contract/notices.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { notifyOutsidePage } from "../../session/browser-notifications.ts";
import { showToast } from "../../ui/toast.ts";

/** If more notices arrive at once, such as after an outage, one toast announces all of them. */
const TOASTS_MAX = 3;

/**
 * Announces new notices.
 * @param arrived the new notices, newest first
 */
export function announceNotices(arrived: readonly Notice[]): void {
  const unread = arrived.filter(({ isRead }) => !isRead).toReversed();
  for (const notice of unread) {
    if (!notice.announce.browser) continue;
    const { title, detail } = localisedTexts(notice);
    notifyOutsidePage(title, detail, toastIdOf(notice));
  }
  const onPage = unread.filter((notice) => notice.announce.page);
  if (onPage.length > TOASTS_MAX) {
    showToast("info", `${onPage.length} new notices`, "The bell at the top lists them.");
    return;
  }
  for (const notice of onPage) {
    const kind = notice.kind === "fill" ? "success" : "info";
    const { title, detail } = localisedTexts(notice);
    showToast(kind, title, detail, toastIdOf(notice));
  }
}

/** The notice's texts with numbers in the viewer's format. */
function localisedTexts({ title, detail }: Notice): Pick<Notice, "title" | "detail"> {
  return { title: formatNumbersIn(title), detail: formatNumbersIn(detail) };
}

/**
 * The id of a notice's toast. A new toast replaces an earlier one with the same id: the fills of
 * one order share one.
 */
function toastIdOf({ kind, noticeId }: Notice): string {
  return kind === "fill" ? noticeId.split(":").slice(0, 2).join(":") : noticeId;
}
