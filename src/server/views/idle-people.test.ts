import { expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, Side } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import { coin, market, plan } from "#test/engine/commands.ts";
import { Views } from "./views.ts";

const MAKER = 16;
const TAKER = 17;
const HOUR_MS = 3_600_000;
const READS = [
  "openOrders",
  "openOrderCount",
  "recentOrders",
  "fills",
  "transfers",
  "activity",
  "ledgerEntries",
] as const;

/** Two views of one engine, of which one packs idle people. */
function start() {
  const engine = createEngine();
  const events = new EventBuffer();
  const [views, plain] = [new Views(), new Views()];
  let nowMs = 1_800_000_000_000;
  const run = (command: Command) => {
    engine.apply(engine.sequence + 1, (nowMs += 1), "", command, events);
    const decoded = events.decode();
    events.clear();
    expect(decoded.at(-1)?.type).not.toBe("commandRejected");
    for (const each of [views, plain]) each.fold(decoded);
  };
  run({ type: "listCoin", coin: coin("USD", 6) });
  run({ type: "listCoin", coin: coin("BTC", 6) });
  run({ type: "listMarket", market: market("BTC", { notionalMin: 1 as Amount }) });
  run({ type: "definePlan", plan: plan("free", { openOrdersMax: 1_000 }) });
  for (const [account, userId] of [
    [MAKER, "maker"],
    [TAKER, "taker"],
  ] as const) {
    run({ type: "openAccount", userId, kind: "person" });
    const otherCoins = [{ assetId: 2, amount: 1e12 as Amount }];
    run({ type: "takePracticeFunds", account, assetId: 1, amount: 1e12 as Amount, otherCoins });
  }
  const place = (account: number, side: Side, lots: number) =>
    run({
      type: "placeOrder",
      account,
      marketId: 1,
      side,
      orderType: "limit",
      timeInForce: "gtc",
      postOnly: false,
      priceTicks: 1_000 as Ticks,
      quantityLots: lots as Lots,
      quoteAmount: 0 as Amount,
      clientOrderId: "",
    });
  let clockMs = 0;
  const pack = () => views.people.packIdle((clockMs += HOUR_MS));
  const compare = () => {
    for (const account of [MAKER, TAKER]) {
      for (const read of READS) {
        expect(views.people[read](account)).toEqual(plain.people[read](account));
      }
    }
    expect(views.people.state()).toEqual(plain.people.state());
  };
  return { views, pack, place, compare };
}

test("what is packed and loaded again is as it was, whatever happens in between", () => {
  const { compare, pack, place } = start();
  for (let round = 0; round < 30; round++) {
    pack();
    place(MAKER, "sell", 10);
    pack();
    place(TAKER, "buy", round % 3 === 0 ? 4 : 10);
    pack();
    pack();
    if (round % 5 === 0) compare();
  }
  compare();
});

test("people who are idle and have no open orders take a fraction of the memory, and no others", () => {
  const { pack, place, views } = start();
  for (let count = 0; count < 100; count++) {
    place(MAKER, "sell", 1);
    place(TAKER, "buy", 1);
  }
  place(MAKER, "sell", 1);
  expect(views.people.packedBytes).toBe(0);
  pack();
  const { packedBytes } = views.people;
  // A hundred orders, fills and their entries are some 130 KB as objects.
  expect(packedBytes).toBeGreaterThan(1_000);
  expect(packedBytes).toBeLessThan(60_000);
  // Its records were just read, so the taker stays; the maker has an open order.
  expect(views.people.fills(TAKER)).toHaveLength(100);
  expect(views.people.packedBytes).toBe(0);
});
