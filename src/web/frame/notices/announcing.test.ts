import { expect, test } from "vitest";
import type { Notice } from "#contract/notices.ts";
import { newNotices, placeOf } from "./announcing.ts";

function noticeOf(noticeId: string, given: Partial<Notice> = {}): Notice {
  return {
    noticeId,
    kind: "fill",
    time: 1,
    title: "Bought 0.5 BTC",
    detail: "",
    link: { page: "activity" },
    isRead: false,
    announce: { page: true, browser: false },
    ...given,
  };
}

test("what was there when the page opened is not announced, what comes later is, once", () => {
  const seen = new Set<string>();
  expect(newNotices([noticeOf("fill:1:1")], seen, true)).toEqual([]);
  const later = [noticeOf("fill:2:5"), noticeOf("fill:1:1")];
  expect(newNotices(later, seen, false).map(({ noticeId }) => noticeId)).toEqual(["fill:2:5"]);
  expect(newNotices(later, seen, false)).toEqual([]);
});

test("the oldest of several comes first, and what is read is left out", () => {
  const seen = new Set<string>();
  newNotices([], seen, true);
  const notices = [
    noticeOf("fill:3:1"),
    noticeOf("fill:2:1", { isRead: true }),
    noticeOf("fill:1:1"),
  ];
  const found = newNotices(notices, seen, false);
  expect(found.map(({ noticeId }) => noticeId)).toEqual(["fill:1:1", "fill:3:1"]);
});

test("a later fill of the same order takes the place of the earlier one", () => {
  expect(placeOf(noticeOf("fill:7:1"))).toBe(placeOf(noticeOf("fill:7:2")));
  expect(placeOf(noticeOf("fill:7:1"))).not.toBe(placeOf(noticeOf("end:7")));
  const [one, two] = ["alert:a.1", "alert:a.2"].map((id) => noticeOf(id, { kind: "alert" }));
  expect(placeOf(one)).not.toBe(placeOf(two));
});
