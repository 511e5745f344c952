import type { ConvexReactClient } from "convex/react";
import { functions } from "#contract/functions.ts";
import type { Page } from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import { csvLine } from "../../format/csv.ts";
import type { ActivitySearch } from "./activity-kinds.ts";
import { activityArgs } from "./activity-query.ts";

/** Append only: users process these files with programs. */
const COLUMNS = [
  "time",
  "kind",
  "title",
  "market",
  "coin",
  "amount",
  "status",
  "sequence",
  "id",
] as const;

const PAGE_SIZE = 200;

/** All rows that match a filter, a page at a time, newest first, with times in UTC. */
export async function* activityPieces(
  backend: Pick<ConvexReactClient, "action">,
  search: ActivitySearch,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let cursor: string | null = null;
  do {
    const page: Page<ActivityItem> = await backend.action(functions.activity.page, {
      ...activityArgs(search, cursor),
      limit: PAGE_SIZE,
    });
    yield page.items.map(activityLine).join("");
    ({ cursor } = page);
  } while (cursor !== null);
}

function activityLine(item: ActivityItem): string {
  return csvLine([
    new Date(item.time).toISOString(),
    item.kind,
    item.title,
    item.market ?? "",
    item.coin ?? "",
    item.amount ?? "",
    item.status,
    item.sequence?.toString() ?? "",
    item.id,
  ]);
}
