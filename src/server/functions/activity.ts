import { z } from "zod";
import type { ActivityItem, Page } from "#contract/types.ts";
import { followAccount, requireUser } from "./caller.ts";
import { action, query } from "./define.ts";
import type { SecurityEvent } from "../accounts/security-events.ts";
import { presentActivity } from "./present-account.ts";
import { cursor, noArguments, pageLimit } from "./schemas.ts";

const SHOWN = 50;
const PAGE_SIZE = 50;
const SEARCH_LENGTH_MAX = 100;

/** Newest first. */
export const recent = query(noArguments, (context): ActivityItem[] => {
  const { views } = context.services;
  const account = followAccount(context);
  if (account === undefined) return [];
  return views.people
    .activity(account.account)
    .slice(0, SHOWN)
    .map((row) => presentActivity(views, row));
});

/** Newest first. */
export const page = action(
  z.strictObject({
    kind: z.enum(["order", "fill", "transfer", "plan", "security"]).optional(),
    search: z.string().max(SEARCH_LENGTH_MAX).optional(),
    cursor: cursor.optional(),
    limit: pageLimit.optional(),
  }),
  async (
    context,
    { kind, search, cursor: from, limit = PAGE_SIZE },
  ): Promise<Page<ActivityItem>> => {
    const { views, history, accounts } = context.services;
    const userId = requireUser(context);
    if (kind === "security") {
      // Not facts of the ledger: the accounts keep them.
      const events = await accounts.securityEvents({ userId, search, cursor: from, limit });
      return { items: events.items.map(presentSecurityEvent), cursor: events.cursor };
    }
    const account = views.accounts.ofUser(userId);
    if (account === undefined) return { items: [], cursor: null };
    await history.whenFresh();
    const rows = await history.read.activity({
      account: account.account,
      kind,
      search,
      cursor: from,
      limit,
    });
    return { items: rows.items.map((row) => presentActivity(views, row)), cursor: rows.cursor };
  },
);

function presentSecurityEvent({ id, atMs, title, status }: SecurityEvent): ActivityItem {
  return {
    id,
    kind: "security",
    time: atMs,
    title,
    market: null,
    coin: null,
    amount: null,
    status,
    sequence: null,
    postings: null,
  };
}
