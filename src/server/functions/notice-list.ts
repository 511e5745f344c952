/** A user's notices, newest first, and which of them the user has read. */
import type { Notice, RecentNotices } from "#contract/notices.ts";
import type { NoticeState } from "../notices/notice-states.ts";
import {
  alertSources,
  fillSources,
  fundSources,
  type NoticeSource,
  orderSources,
  securitySources,
} from "./notice-sources.ts";
import type { Services } from "./services.ts";

/** Older notices remain in the activity feed. */
const NOTICES_MAX = 200;

type Sources = Pick<Services, "alerts" | "notices" | "views">;

export class NoticeList {
  readonly #sources: readonly NoticeSource[];
  readonly #state: NoticeState;
  readonly #readIds: ReadonlySet<string>;

  private constructor(sources: readonly NoticeSource[], state: NoticeState) {
    this.#sources = sources;
    this.#state = state;
    this.#readIds = new Set(state.readIds);
  }

  /** Null while part of its data is being loaded. */
  static of({ alerts, notices, views }: Sources, userId: string): NoticeList | null {
    const state = notices.states.read(userId);
    const firings = alerts.firingsOf(userId);
    const security = notices.security.read(userId);
    if (state === undefined || firings === undefined || security === undefined) return null;
    const account = views.accounts.ofUser(userId)?.account;
    const ofAccount =
      account === undefined
        ? []
        : [fillSources, orderSources, fundSources].flatMap((read) => read(views, account));
    const sources = [...ofAccount, ...alertSources(views, firings), ...securitySources(security)];
    return new NoticeList(sources.toSorted(newestFirst).slice(0, NOTICES_MAX), state);
  }

  recent(count: number): RecentNotices {
    const { switches } = this.#state;
    const unread = this.#sources.filter(
      (source) => !this.#isRead(source) && switches[source.kind].page,
    );
    return {
      unread: unread.length,
      notices: this.#present(this.#sources.slice(0, count)),
      hasOlder: this.#sources.length > count,
    };
  }

  all(): Notice[] {
    return this.#present(this.#sources);
  }

  /** The notices after the one with this time and id. */
  after(timeMs: number, id: string, count: number): { notices: Notice[]; isLast: boolean } {
    const at = { timeMs, id };
    const older = this.#sources.filter((source) => newestFirst(at, source) < 0);
    return { notices: this.#present(older.slice(0, count)), isLast: older.length <= count };
  }

  #isRead({ id, isKnown, timeMs }: NoticeSource): boolean {
    return isKnown || timeMs <= this.#state.readUntilMs || this.#readIds.has(id);
  }

  #present(sources: readonly NoticeSource[]): Notice[] {
    return sources.map((source) => {
      const { id, isKnown, kind, timeMs } = source;
      const { page, browser } = this.#state.switches[kind];
      return {
        noticeId: id,
        kind,
        time: timeMs,
        ...source.present(),
        isRead: this.#isRead(source),
        announce: { page: page && !isKnown, browser: browser && !isKnown },
      };
    });
  }
}

type NoticeOrder = Pick<NoticeSource, "id" | "timeMs">;

function newestFirst(left: NoticeOrder, right: NoticeOrder): number {
  if (left.timeMs !== right.timeMs) return right.timeMs - left.timeMs;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

/** Loads the data that `NoticeList.of` needs. */
export async function loadNotices({ alerts, notices }: Sources, userId: string): Promise<void> {
  await Promise.all([
    notices.states.load(userId),
    notices.security.load(userId),
    alerts.loadFirings(userId),
  ]);
}
