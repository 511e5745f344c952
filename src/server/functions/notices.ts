import { CursorError } from "../database/cursor.ts";
import { admitOwnChange, followAccount, requireUser } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { loadNotices, NoticeList } from "./notice-list.ts";

const RECENT_MAX = 30;

export const recent: Handlers["notices"]["recent"] = (context) => {
  const userId = requireUser(context);
  followAccount(context);
  context.dependsOn(`alerts:${userId}`);
  context.dependsOn(`notices:${userId}`);
  return NoticeList.of(context.services, userId)?.recent(RECENT_MAX) ?? null;
};

export const page: Handlers["notices"]["page"] = async ({ identity, services }, args) => {
  const userId = requireUser({ identity });
  const [timeMs, id] = positionOf(args.cursor);
  await loadNotices(services, userId);
  const found = NoticeList.of(services, userId)?.after(timeMs, id, args.limit);
  const last = found?.notices.at(-1);
  if (found === undefined || last === undefined) return { items: [], cursor: null };
  const cursor = found.isLast ? null : `${last.time}~${last.noticeId}`;
  return { items: found.notices, cursor };
};

/** @throws CursorError */
function positionOf(cursor: string | undefined): [timeMs: number, id: string] {
  if (cursor === undefined) return [Number.POSITIVE_INFINITY, ""];
  const [, time, id] = /^(\d{1,16})~(.+)$/.exec(cursor) ?? [];
  if (time === undefined) throw new CursorError("The cursor is not one that a page handed out.");
  return [Number(time), id];
}

export const markRead: Handlers["notices"]["markRead"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  await context.services.notices.states.markRead(userId, args.noticeIds);
  return null;
};

export const markAllRead: Handlers["notices"]["markAllRead"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  const { notices, views } = context.services;
  // A notice of the future cannot have been read.
  await notices.states.markReadUntil(userId, Math.min(args.until, views.nowMs()));
  return null;
};

export const settings: Handlers["notices"]["settings"] = (context) => {
  const userId = requireUser(context);
  context.dependsOn(`notices:${userId}`);
  return context.services.notices.states.read(userId)?.switches ?? null;
};

export const setSwitches: Handlers["notices"]["setSwitches"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  const { notices, views } = context.services;
  const { kind, switches } = args;
  const state = await notices.states.switchKind(userId, kind, switches, views.nowMs());
  await notices.mail.switched(userId);
  return state.switches;
};
