import { z } from "zod";
import type { ActivityItem, Page } from "#contract/types.ts";
import { readFeed } from "./activity-feed.ts";
import { followAccount, requireUser } from "./caller.ts";
import { action, query } from "./define.ts";
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

/** Orders, fills, transfers, plans and security events by time, newest first. */
export const page = action(
  z.strictObject({
    kind: z.enum(["order", "fill", "transfer", "plan", "security"]).optional(),
    search: z.string().max(SEARCH_LENGTH_MAX).optional(),
    cursor: cursor.optional(),
    limit: pageLimit.optional(),
  }),
  (context, { limit = PAGE_SIZE, ...query }): Promise<Page<ActivityItem>> =>
    readFeed(context.services, { ...query, userId: requireUser(context), limit }),
);
