import { expect, test, vi } from "vitest";
import type { ActivityItem } from "#contract/users.ts";
import { activityPieces } from "./activity-csv.ts";

const ITEM: ActivityItem = {
  id: "fill:1:2",
  kind: "fill",
  time: Date.UTC(2026, 10, 21, 12),
  title: "Sold 0.5 BTC at 64,000.00",
  market: "BTC-USD",
  coin: "USD",
  amount: "-12.500000",
  status: "completed",
  sequence: 7,
  postings: null,
};

test("the file has its columns, then the rows of every page of the filter", async () => {
  const action = vi
    .fn()
    .mockResolvedValueOnce({ items: [ITEM], cursor: "next" })
    .mockResolvedValueOnce({ items: [{ ...ITEM, market: null, sequence: null }], cursor: null });
  let file = "";
  for await (const piece of activityPieces({ action }, { kind: "fill" })) file += piece;
  expect(file.split("\r\n")).toEqual([
    "time,kind,title,market,coin,amount,status,sequence,id",
    '2026-11-21T12:00:00.000Z,fill,"Sold 0.5 BTC at 64,000.00",BTC-USD,USD,-12.500000,completed,7,fill:1:2',
    '2026-11-21T12:00:00.000Z,fill,"Sold 0.5 BTC at 64,000.00",,USD,-12.500000,completed,,fill:1:2',
    "",
  ]);
  expect(action.mock.calls.map(([, args]) => args)).toEqual([
    { kind: "fill", limit: 200 },
    { kind: "fill", cursor: "next", limit: 200 },
  ]);
});
