/**
 * Read models taken back from their state at any command, and the events behind it, are what the
 * whole sequence of events leads to: in what they remember and in everything that they answer.
 */
import { deepStrictEqual } from "node:assert/strict";
import { deserialize, serialize } from "node:v8";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANDLE_INTERVALS } from "#contract/types.ts";
import type { Command } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { HistoryFold, HistoryRows } from "#server/history/fold.ts";
import { createReadModels, type ReadModelsState } from "#server/read-models.ts";
import { Views } from "#server/views/views.ts";
import { opening, type Step, steps } from "../engine/commands.ts";
import { houseOpening, houseSteps } from "../engine/house-commands.ts";
import { aimed, orderSteps, prelude } from "../engine/order-commands.ts";
import { runs } from "../support/run-counts.ts";

const START_MS = 1_700_000_000_000;
const atOnce = (commands: readonly Command[]): Step[] =>
  commands.map((command) => ({ command, afterMs: 0, idempotencyKey: "" }));
const openingSteps = atOnce(opening(2 ** 40, 2 ** 36));

/** The events of each command. */
function eventsOf(all: readonly Step[]): ExchangeEvent[][] {
  const engine = createEngine();
  const buffer = new EventBuffer();
  let timestampMs = START_MS;
  return all.map((step) => {
    const { command, afterMs, idempotencyKey } = aimed(step, engine);
    timestampMs += afterMs;
    engine.apply(engine.sequence + 1, timestampMs, idempotencyKey, command, buffer);
    return decodeEvents(buffer.take());
  });
}

/** Everything that the views answer. */
function answersOf(views: Views) {
  const now = views.nowMs();
  const accounts = [...views.accounts.all()].map(({ account }) => account);
  return {
    catalogue: [views.catalogue.coins(), views.catalogue.markets(), views.catalogue.plans()],
    bySymbol: ["USD", "AAA", "BBB", "CCC"].map((symbol) => views.catalogue.coinBySymbol(symbol)),
    isSimulated: views.isSimulated,
    sequence: views.sequence,
    users: ["user 0", "user 3", "late"].map((userId) => views.accounts.ofUser(userId)),
    markets: views.catalogue.markets().map(({ marketId, definition }) => ({
      market: views.catalogue.marketBySymbol(definition.symbol)?.marketId,
      book: [
        views.books.updateId(marketId),
        views.books.levels(marketId, "buy", 100),
        views.books.levels(marketId, "sell", 100),
        views.books.bestBid(marketId),
        views.books.bestAsk(marketId),
      ],
      hidden: [
        views.hiddenLots.byPrice(marketId, "buy"),
        views.hiddenLots.byPrice(marketId, "sell"),
      ],
      ticker: [now, now + 3_600_000, now + 90_000_000].map((at) => [
        views.tickers.ticker(marketId, at),
        views.tickers.sparkline(marketId, at),
      ]),
      state: [views.marketStates.of(marketId), views.marketStates.lastTicks(marketId)],
      trades: views.trades.latest(marketId, 100),
      candles: CANDLE_INTERVALS.map((interval) => [
        views.candles.read(marketId, interval, Infinity, 1500),
        views.candles.isComplete(marketId, interval),
        views.candles.closeBefore(marketId, interval, now - 60_000),
      ]),
    })),
    accounts: accounts.map((account) => ({
      summary: views.accounts.account(account),
      owned: [1, 2, 3].map((assetId) => [
        views.accounts.available(account, assetId),
        views.accounts.held(account, assetId),
      ]),
      openOrders: views.people.openOrders(account),
      recentOrders: views.people.recentOrders(account),
      fills: views.people.fills(account),
      transfers: views.people.transfers(account),
      activity: views.people.activity(account),
      entries: views.people.ledgerEntries(account),
      portfolio: views.portfolios.portfolio(account),
      curve: views.portfolios.curve(account),
    })),
    adjustments: [
      views.adjustments.pending(),
      views.adjustments.decided(),
      [1, 2, 3].map((id) => views.adjustments.find(id)),
    ],
    volumes: accounts.map((account) => [
      views.volumes.counted(account, now),
      views.volumes.today(account, now),
      views.volumes.counted(account, now + 86_400_000),
    ]),
    sums: [1, 2, 3].map((assetId) => views.accounts.sumOfAll(assetId)),
  };
}

function viewsOf(state: ReadModelsState): Views {
  const views = new Views();
  views.restore(clone(state).views);
  return views;
}

const clone = <T>(state: T): T => deserialize(serialize(state)) as T;

function rowsOf(fold: HistoryFold, events: readonly ExchangeEvent[]) {
  const rows = new HistoryRows();
  for (const event of events) fold.fold(event, rows);
  const { orders, fills, trades, ledgerEntries, activity, candles } = rows;
  return { orders, fills, trades, ledgerEntries, activity, candles };
}

function check(all: readonly Step[], share: number): void {
  const events = eventsOf(all);
  const at = Math.round(all.length * share);
  const [before, behind] = [events.slice(0, at).flat(), events.slice(at).flat()];
  const whole = createReadModels();
  whole.fold(before);
  const kept = clone(whole.state() as ReadModelsState);
  const restored = createReadModels();
  restored.restore(clone(kept));
  deepStrictEqual(restored.state(), whole.state());
  whole.fold(behind);
  restored.fold(behind);
  const state = whole.state() as ReadModelsState;
  deepStrictEqual(restored.state(), state);

  // The views of a process that folds everything know the answers without any state.
  const views = new Views();
  views.fold([...before, ...behind]);
  const resumed = viewsOf(kept);
  if (behind.length > 0) resumed.fold(behind);
  deepStrictEqual(answersOf(resumed), answersOf(views));

  const fold = new HistoryFold();
  for (const event of before) fold.fold(event, undefined);
  const resumedFold = new HistoryFold();
  resumedFold.restore(kept.history.fold);
  deepStrictEqual(rowsOf(resumedFold, behind), rowsOf(fold, behind));
}

test("every view that folds events has its state in a snapshot", () => {
  const views = new Views();
  const kept = Object.keys(views.state());
  const folding = Object.entries(views).filter(([, view]) => foldsEvents(view));
  expect(folding.length).toBeGreaterThan(5);
  for (const [name] of folding) expect(kept).toContain(NAMED_OTHERWISE[name] ?? name);
});

/** What snapshots have under another name. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = { catalogue: "catalog" };

function foldsEvents(view: unknown): boolean {
  if (typeof view !== "object" || view === null) return false;
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(view));
  return names.some((name) => name.startsWith("fold"));
}

describe("read models taken back at any command", () => {
  const flows = {
    "of plain orders": [openingSteps, steps("tight", 80), 50],
    "at prices of any size": [openingSteps, steps("wide", 80), 15],
    "of every type of order": [[...openingSteps, ...prelude], orderSteps("tight", 80), 50],
    "of plans, adjustments and market states": [
      atOnce(houseOpening()),
      houseSteps("tight", 60),
      50,
    ],
  } satisfies Record<string, [Step[], fc.Arbitrary<Step[]>, number]>;
  for (const [name, [before, sequences, full]] of Object.entries(flows)) {
    test(`are those of the whole sequence ${name}`, { timeout: 600_000 }, () => {
      const cut = fc.nat({ max: 1000 }).map((share) => share / 1000);
      fc.assert(
        fc.property(sequences, cut, (sequence, share) => {
          check([...before, ...sequence], share);
        }),
        { numRuns: runs(full) },
      );
    });
  }

  test("also when more has happened than they keep", { timeout: 600_000 }, () => {
    const many = fc.sample(steps("tight", 60), { seed: 11, numRuns: 60 }).flat();
    const all = [...openingSteps, ...many.map((step) => ({ ...step, idempotencyKey: "" }))];
    for (const share of [0.5, 0.97]) check(all, share);
  });
});
