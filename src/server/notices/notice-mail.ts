/**
 * Mails notices of the kinds for which a user has switched mail on. Notices of one minute are
 * gathered in one mail, and a user gets at most one mail in ten minutes. A lost mail does no harm:
 * the notices are on the page.
 */
import type { Notice } from "#contract/notices.ts";
import type { Log } from "../log.ts";
import type { NoticeStates } from "./notice-states.ts";
import { sendsMail } from "./notice-states.ts";

const GATHER_MS = 60_000;
const MAIL_INTERVAL_MS_MIN = 10 * 60_000;
/** Further notices are only counted. */
const LINES_MAX = 10;

export interface NoticeMailOptions {
  readonly states: Pick<NoticeStates, "load" | "mailed" | "markMailed">;
  /** The user's notices, newest first. */
  readonly list: (userId: string) => Promise<readonly Notice[]>;
  readonly send: (userId: string, lines: readonly string[]) => Promise<void>;
  readonly log: Log;
}

export type NoticeMail = ReturnType<typeof createNoticeMail>;

export function createNoticeMail(options: NoticeMailOptions) {
  const { states, list, send, log } = options;
  const users = new Set<string>();
  const waiting = new Map<string, NodeJS.Timeout>();
  const notBeforeMs = new Map<string, number>();

  async function mail(userId: string): Promise<void> {
    const { mailedUntilMs, switches } = await states.load(userId);
    const due = (await list(userId)).filter(
      ({ isRead, kind, time }) => !isRead && time > mailedUntilMs && switches[kind].mail,
    );
    const newest = due.at(0);
    if (newest === undefined) return;
    await states.markMailed(userId, newest.time);
    notBeforeMs.set(userId, performance.now() + MAIL_INTERVAL_MS_MIN);
    await send(userId, linesOf(due));
  }

  function schedule(userId: string): void {
    if (!users.has(userId) || waiting.has(userId)) return;
    const waitMs = (notBeforeMs.get(userId) ?? 0) - performance.now();
    const timer = setTimeout(
      () => {
        waiting.delete(userId);
        mail(userId).catch((error: unknown) => {
          log.warn({ userId, error: String(error) }, "a mail about notices was not sent");
        });
      },
      Math.max(GATHER_MS, waitMs),
    );
    waiting.set(userId, timer.unref());
  }

  return {
    /** Loads the users who get mail and sends the notices that an earlier process left unsent. */
    async open(): Promise<void> {
      for (const userId of await states.mailed()) {
        users.add(userId);
        schedule(userId);
      }
    },
    get isIdle(): boolean {
      return users.size === 0;
    },
    /** Must be called when the user may have a new notice. */
    schedule,
    /** Must be called when the user has enabled or disabled mail. */
    async switched(userId: string): Promise<void> {
      if (sendsMail(await states.load(userId))) users.add(userId);
      else users.delete(userId);
    },
    forget(userId: string): void {
      users.delete(userId);
      clearTimeout(waiting.get(userId));
      waiting.delete(userId);
      notBeforeMs.delete(userId);
    },
    close(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

function linesOf(notices: readonly Notice[]): string[] {
  const lines = notices
    .slice(0, LINES_MAX)
    .map(({ title, detail }) => (detail === "" ? title : `${title}. ${detail}`));
  const more = notices.length - lines.length;
  return more === 0 ? lines : [...lines, `And ${more} more.`];
}
