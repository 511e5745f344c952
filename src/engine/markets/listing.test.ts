/** Coins, plans and markets that are listed and redefined by decisions of administrators. */
import { expect, test } from "vitest";
import { coin, market, plan } from "#test/engine/commands.ts";
import { NOW_MS, Scene } from "#test/engine/work-scene.ts";
import type { Amount } from "../amount.ts";
import type { Command } from "../commands.ts";

const decision = { byAdmin: "olga", reason: "a new name" };
const usd = coin("USD", 2);
const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount };

test("a coin gets other words and another status, as a new version", () => {
  const scene = new Scene();
  const renamed = { ...usd, name: "Dollars", status: "delisting", riskNote: "It leaves." } as const;
  const update = { type: "updateCoin", assetId: 1, coin: renamed } as const;
  expect(scene.apply({ ...update, decision })).toEqual([
    {
      type: "coinUpdated",
      sequence: scene.engine.sequence,
      timestampMs: NOW_MS,
      assetId: 1,
      version: 2,
      coin: renamed,
      decision,
    },
  ]);
  expect(scene.apply(update)).toMatchObject([{ version: 3 }]);
  expect(scene.restored().engine.stateHash()).toBe(scene.engine.stateHash());
});

test.each<[string, Command, string]>([
  [
    "another scale",
    { type: "updateCoin", assetId: 1, coin: { ...usd, scale: 3 } },
    "invalidCommand",
  ],
  ["another symbol", { type: "updateCoin", assetId: 1, coin: coin("EUR", 2) }, "invalidCommand"],
  ["no such coin", { type: "updateCoin", assetId: 9, coin: usd }, "unknownAsset"],
  [
    "no valid coin",
    { type: "updateCoin", assetId: 1, coin: { ...usd, name: "x".repeat(65) } },
    "invalidCommand",
  ],
])("a coin with %s is refused, and nothing changes", (_name, command, reason) => {
  const scene = new Scene();
  const before = scene.engine.stateHash();
  expect(scene.apply(command)).toMatchObject([{ type: "commandRejected", reason }]);
  expect(scene.engine.stateHash()).toBe(before);
});

const CHANGES: readonly Command[] = [
  { type: "listCoin", coin: coin("TEA", 2) },
  { type: "updateCoin", assetId: 1, coin: usd },
  {
    type: "listMarket",
    market: { ...market("BTC", terms), symbol: "ETH-BTC", base: "ETH", quote: "BTC" },
  },
  { type: "updateMarket", marketId: 1, market: market("BTC", { ...terms, priceBandBps: 100 }) },
  { type: "definePlan", plan: plan("pro") },
  { type: "updatePlan", planId: 1, plan: plan("free", { takerFeeBps: 1 }) },
  { type: "assignPlan", account: 16, planId: 1 },
];

test.each(CHANGES)("who decided $type and why is in its event, if someone did", (change) => {
  const [decided, own] = [new Scene(), new Scene()];
  expect(decided.apply({ ...change, decision } as Command)).toMatchObject([{ decision }]);
  expect(Object.keys(own.apply(change)[0])).not.toContain("decision");
  expect(own.engine.stateHash()).toBe(decided.engine.stateHash());
});

test.each(CHANGES)("$type is refused without a reason, with none of its own, or late", (change) => {
  const scene = new Scene();
  const before = scene.engine.stateHash();
  for (const wrong of [
    { byAdmin: "olga", reason: "" },
    { byAdmin: "", reason: "why" },
    null,
    "olga",
  ]) {
    expect(scene.apply({ ...change, decision: wrong } as Command)).toMatchObject([
      { type: "commandRejected", reason: "invalidCommand" },
    ]);
  }
  expect(scene.apply({ ...change, decision, validUntilMs: NOW_MS - 1 } as Command)).toMatchObject([
    { type: "commandRejected", reason: "requestExpired" },
  ]);
  expect(scene.engine.stateHash()).toBe(before);
});
