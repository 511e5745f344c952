/** Stores which notices each user has read, which kinds are announced where, and which have been mailed. */
import { NOTICE_KINDS, type NoticeSettings, type NoticeSwitches } from "#contract/notices.ts";
import type { NoticeStatesTable } from "../database/personal-tables.ts";
import { PerUser, type UserStoreOptions } from "../personal/per-user.ts";

/** At least the length of a notice list. */
const READ_IDS_MAX = 400;

export interface NoticeState {
  readonly switches: NoticeSettings;
  /** All notices up to this time are read, milliseconds since 1970 UTC. */
  readonly readUntilMs: number;
  /** Ids of later notices that were marked as read individually. */
  readonly readIds: readonly string[];
  /** All notices up to this time have been mailed or are not to be. */
  readonly mailedUntilMs: number;
}

const DEFAULT_SWITCHES: NoticeSwitches = { page: true, browser: false, mail: false };

function settingsOf(stored: Partial<NoticeSettings>): NoticeSettings {
  return Object.fromEntries(
    NOTICE_KINDS.map((kind) => [kind, { ...DEFAULT_SWITCHES, ...stored[kind] }]),
  ) as NoticeSettings;
}

export type NoticeStates = ReturnType<typeof createNoticeStates>;

export function createNoticeStates({ database, ...options }: UserStoreOptions) {
  const states = new PerUser<NoticeState>({
    ...options,
    async load(userId) {
      const row = await database.read
        .selectFrom("notice_states")
        .selectAll()
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return stateOf(row);
    },
  });

  async function store(userId: string, state: NoticeState): Promise<void> {
    const row: Omit<NoticeStatesTable, "user_id"> = {
      switches: JSON.stringify(state.switches),
      sends_mail: sendsMail(state) ? 1 : 0,
      read_until_ms: state.readUntilMs,
      read_ids: JSON.stringify(state.readIds),
      mailed_until_ms: state.mailedUntilMs,
    };
    await database.write
      .insertInto("notice_states")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
  }

  const change = (userId: string, compute: (state: NoticeState) => NoticeState) =>
    states.change(userId, compute, (state) => store(userId, state));

  return {
    /** Undefined while the state is being loaded. */
    read: (userId: string) => states.read(userId),
    load: (userId: string) => states.load(userId),
    /** Another node has changed the user's value. */
    changedElsewhere: (userId: string) => states.refresh(userId),
    markRead: (userId: string, ids: readonly string[]) =>
      change(userId, (state) => {
        const known = new Set(state.readIds);
        const added = [...new Set(ids)].filter((id) => !known.has(id));
        if (added.length === 0) return state;
        return { ...state, readIds: [...state.readIds, ...added].slice(-READ_IDS_MAX) };
      }),
    markReadUntil: (userId: string, untilMs: number) =>
      change(userId, (state) =>
        untilMs <= state.readUntilMs ? state : { ...state, readUntilMs: untilMs, readIds: [] },
      ),
    /** @param nowMs exchange time; notices up to now will not be mailed later */
    switchKind: (
      userId: string,
      kind: (typeof NOTICE_KINDS)[number],
      switches: Partial<NoticeSwitches>,
      nowMs: number,
    ) =>
      change(userId, (state) => {
        const next = {
          ...state,
          switches: { ...state.switches, [kind]: { ...state.switches[kind], ...switches } },
        };
        const isFirstMail = sendsMail(next) && !sendsMail(state);
        return isFirstMail ? { ...next, mailedUntilMs: nowMs } : next;
      }),
    markMailed: (userId: string, untilMs: number) =>
      change(userId, (state) => ({ ...state, mailedUntilMs: untilMs })),
    /** Ids of users who get mail for at least one kind of notice. */
    async mailed(): Promise<string[]> {
      const rows = await database.read
        .selectFrom("notice_states")
        .select("user_id")
        .where("sends_mail", "=", 1)
        .execute();
      return rows.map((row) => row.user_id);
    },
    async forget(userId: string): Promise<void> {
      await database.write.deleteFrom("notice_states").where("user_id", "=", userId).execute();
      states.forget(userId);
    },
  };
}

export function sendsMail({ switches }: NoticeState): boolean {
  return NOTICE_KINDS.some((kind) => switches[kind].mail);
}

function stateOf(row: NoticeStatesTable | undefined): NoticeState {
  if (row === undefined) {
    return { switches: settingsOf({}), readUntilMs: 0, readIds: [], mailedUntilMs: 0 };
  }
  return {
    switches: settingsOf(JSON.parse(row.switches) as Partial<NoticeSettings>),
    readUntilMs: row.read_until_ms,
    readIds: JSON.parse(row.read_ids) as string[],
    mailedUntilMs: row.mailed_until_ms,
  };
}
