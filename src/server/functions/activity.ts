import { readFeed } from "./activity-feed.ts";
import { followAccount, requireUser } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { presentActivity } from "./present-account.ts";

const RECENT_MAX = 50;

export const recent: Handlers["activity"]["recent"] = (context) => {
  const { views } = context.services;
  const account = followAccount(context);
  if (account === undefined) return [];
  return views.people
    .activity(account.account)
    .slice(0, RECENT_MAX)
    .map((row) => presentActivity(views, row));
};

export const page: Handlers["activity"]["page"] = (context, { limit, ...query }) =>
  readFeed(context.services, { ...query, userId: requireUser(context), limit });
