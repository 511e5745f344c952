import { beforeEach, expect, test, vi } from "vitest";
import type { Notice } from "#contract/notices.ts";
import { toasterReady } from "../../ui/toast.ts";
import { announceNotices } from "./announce.ts";

const shown: { readonly title: string; readonly id: string | undefined }[] = [];
const show = (title: string, options?: { readonly id?: string }) =>
  shown.push({ title, id: options?.id });
toasterReady({ info: show, success: show } as unknown as Parameters<typeof toasterReady>[0]);
beforeEach(() => void shown.splice(0));

function noticeOf(noticeId: string, given: Partial<Notice> = {}): Notice {
  return {
    noticeId,
    kind: "fill",
    time: 1,
    title: `Notice ${noticeId}`,
    detail: "",
    link: { page: "activity" },
    isRead: false,
    announce: { page: true, browser: false },
    ...given,
  };
}

const titles = () => shown.map(({ title }) => title);

test("the oldest of several is told first; what is read or switched off is not told", async () => {
  const switchedOff = { announce: { page: false, browser: false } };
  announceNotices([
    noticeOf("fill:3:1"),
    noticeOf("fill:2:1", { isRead: true }),
    noticeOf("end:9", switchedOff),
    noticeOf("fill:1:1"),
  ]);
  await vi.waitFor(() => expect(titles()).toEqual(["Notice fill:1:1", "Notice fill:3:1"]));
});

test("many at once are one message", async () => {
  announceNotices([1, 2, 3, 4].map((order) => noticeOf(`fill:${order}:1`)));
  await vi.waitFor(() => expect(titles()).toEqual(["4 new notices"]));
});

test("a later fill of the same order takes the place of the earlier one, other notices do not", async () => {
  announceNotices([noticeOf("fill:7:2"), noticeOf("fill:7:1")]);
  announceNotices([
    noticeOf("alert:a.2", { kind: "alert" }),
    noticeOf("alert:a.1", { kind: "alert" }),
  ]);
  await vi.waitFor(() => expect(shown).toHaveLength(4));
  expect(shown.map(({ id }) => id)).toEqual(["fill:7", "fill:7", "alert:a.1", "alert:a.2"]);
});
