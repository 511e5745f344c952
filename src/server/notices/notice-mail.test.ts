import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Notice, NoticeKind } from "#contract/notices.ts";
import { createSilentLog } from "../log.ts";
import { createNoticeMail } from "./notice-mail.ts";
import type { NoticeState } from "./notice-states.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const OFF = { page: true, browser: false, mail: false };

function noticeOf(time: number, kind: NoticeKind = "fill", isRead = false): Notice {
  return {
    noticeId: `${time}`,
    kind,
    time,
    title: `Notice ${time}`,
    detail: "",
    link: { page: "activity" },
    isRead,
    announce: { page: true, browser: false },
  };
}

/** One user who gets fills by mail, and a mailer that records its mails. */
function scene(mailed: readonly string[] = ["ada"]) {
  let state: NoticeState = {
    switches: { fill: { ...OFF, mail: true }, order: OFF, alert: OFF, funds: OFF, security: OFF },
    readUntilMs: 0,
    readIds: [],
    mailedUntilMs: 10,
  };
  const notices: Notice[] = [];
  const sent: (readonly string[])[] = [];
  const mail = createNoticeMail({
    states: {
      load: () => Promise.resolve(state),
      mailed: () => Promise.resolve([...mailed]),
      markMailed: (_userId, untilMs) =>
        Promise.resolve((state = { ...state, mailedUntilMs: untilMs })),
    },
    list: () => Promise.resolve(notices),
    send: (_userId, lines) => Promise.resolve(void sent.push(lines)),
    log: createSilentLog(),
  });
  return { mail, notices, sent };
}

test("gathers what happens within a minute into one mail", async () => {
  const { mail, notices, sent } = scene();
  await mail.open();
  notices.unshift(noticeOf(11));
  mail.schedule("ada");
  await vi.advanceTimersByTimeAsync(30_000);
  notices.unshift(noticeOf(12));
  mail.schedule("ada");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toEqual([["Notice 12", "Notice 11"]]);
});

test("mails each notice once, and no one more than once in ten minutes", async () => {
  const { mail, notices, sent } = scene();
  await mail.open();
  notices.unshift(noticeOf(11));
  await vi.advanceTimersByTimeAsync(60_000);
  notices.unshift(noticeOf(12));
  mail.schedule("ada");
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(sent).toEqual([["Notice 11"]]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([["Notice 11"], ["Notice 12"]]);
});

test("leaves out what was read, what is not to be mailed, and what was before", async () => {
  const { mail, notices, sent } = scene();
  notices.push(noticeOf(13, "fill", true), noticeOf(12, "order"), noticeOf(9));
  await mail.open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
});

test("counts what is too much for a mail", async () => {
  const { mail, notices, sent } = scene();
  for (let time = 11; time <= 23; time += 1) notices.unshift(noticeOf(time));
  await mail.open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent[0]).toHaveLength(11);
  expect(sent[0].at(-1)).toBe("And 3 more.");
});

test("does nothing for users who want no mail", async () => {
  const { mail, notices, sent } = scene([]);
  await mail.open();
  expect(mail.isIdle).toBe(true);
  notices.push(noticeOf(11));
  mail.schedule("ada");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent).toEqual([]);
  await mail.switched("ada");
  mail.schedule("ada");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([["Notice 11"]]);
});
