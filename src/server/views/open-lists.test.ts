import { beforeEach, expect, test } from "vitest";
import type { EventOf } from "#engine/events.ts";
import { OpenLists } from "./open-lists.ts";

const ANNA = 16;
const BERT = 17;
let lists: OpenLists;

function place(account: number, listId: number, orderIds: readonly number[]): void {
  const stamps = { sequence: listId, timestampMs: listId * 1_000 };
  const list = { account, listId, marketId: 1, kind: "oto", orderIds } as const;
  lists.foldPlaced({ type: "orderListPlaced", ...stamps, ...list, clientListId: `list-${listId}` });
}
function end(account: number, orderId: number): void {
  lists.foldEnded({ type: "orderEnded", account, orderId } as EventOf<"orderEnded">);
}
const numbersOf = (account: number) => lists.ofAccount(account).map(({ listId }) => listId);

beforeEach(() => {
  lists = new OpenLists();
  place(ANNA, 1, [5, 6]);
  place(BERT, 2, [7, 8]);
  place(ANNA, 3, [9, 10, 11]);
});

test("a list is open until the last of its orders has ended", () => {
  expect([numbersOf(ANNA), numbersOf(BERT)]).toEqual([[1, 3], [2]]);
  end(ANNA, 5);
  end(ANNA, 4);
  expect(lists.openOrderIds(ANNA, 1)).toEqual([6]);
  end(ANNA, 6);
  expect(numbersOf(ANNA)).toEqual([3]);
  expect(lists.openOrderIds(ANNA, 1)).toEqual([]);
  for (const orderId of [7, 8]) end(BERT, orderId);
  expect(numbersOf(BERT)).toEqual([]);
});

test("an account has no list of another one", () => {
  expect(lists.openOrderIds(BERT, 1)).toEqual([]);
  expect(lists.ofAccount(18)).toEqual([]);
});

test("what is restored continues as what was kept", () => {
  end(ANNA, 9);
  const state = structuredClone(lists.state());
  const before = lists.ofAccount(ANNA);
  lists = new OpenLists();
  lists.restore(state);
  expect(lists.ofAccount(ANNA)).toEqual(before);
  expect(lists.openOrderIds(ANNA, 3)).toEqual([10, 11]);
  expect(lists.state()).toEqual(state);
  for (const orderId of [9, 10, 11]) end(ANNA, orderId);
  expect(numbersOf(ANNA)).toEqual([1]);
});
