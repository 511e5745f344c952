/**
 * What a billion takings of practice funds give out, and an exchange that carries on with it: people
 * trade, it is restored from a snapshot, its journal is verified, statements add up.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { AMOUNT_MAX, type Amount, type Lots, type Ticks } from "#engine/amount.ts";
import type { Command, PlaceOrder, Side } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { EXTERNAL_ACCOUNT } from "#engine/accounts/postings.ts";
import { formatDecimal } from "#contract/decimal.ts";
import { defaultCatalogue } from "#server/catalogue/default-catalogue.ts";
import { ListedCatalogue, installCatalogue } from "#server/catalogue/install-catalogue.ts";
import type { Database } from "#server/database/open-database.ts";
import type { Exchange } from "#server/exchange/exchange.ts";
import { openExchange } from "#server/exchange/open-exchange.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { openHistory, type History } from "#server/history/history.ts";
import { inspectJournal } from "#server/inspection/inspect-journal.ts";
import { createSilentLog } from "#server/log.ts";
import type { ReadModelsState } from "#server/read-models.ts";
import { Views } from "#server/views/views.ts";
import { describeEachDatabase } from "./databases.ts";

const READ_MODELS = new URL("../../src/server/read-models.ts", import.meta.url);
const SIMULATED_CANDLES = new URL("./stand-in-candles.ts", import.meta.url);
const EVERY_COMMANDS = 2_000;
/** Tens of thousands of commands and a process that takes a snapshot, on a busy machine. */
const LONG = { timeout: 300_000 };

/** A billion times 100 000 USD, in units of a millionth. */
const GIVEN_OUT = 10n ** 9n * 10n ** 5n * 10n ** 6n;
/** As many accounts as it takes to own that. */
const OWNERS = Number(GIVEN_OUT / BigInt(AMOUNT_MAX)) + 1;
const USD = 1;
const BTC = 2;
const ANN = 16;
/** Behind the owners. */
const RICH = ANN + OWNERS;
const SELLER = RICH + 1;
const LATE = SELLER + 1;

const opened: { close(): Promise<void> }[] = [];
const directories: string[] = [];
afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

async function start(dataDir: string, database: Database) {
  const history: History = await openHistory({
    database,
    log: createSilentLog(),
    simulatedCandlesModule: SIMULATED_CANDLES,
  });
  opened.push(history);
  const views = new Views();
  const listed = new ListedCatalogue();
  const messages: string[] = [];
  const story: string[] = [];
  const log = (fields: object, message: string) =>
    void messages.push(message, ...("reason" in fields ? [String(fields.reason)] : []));
  let restored = 0;
  const exchange: Exchange = await openExchange({
    dataDir,
    onEvents(events) {
      views.fold(events);
      listed.fold(events);
      history.project(events);
      story.push(...events.flatMap(told));
    },
    snapshots: {
      everyCommands: EVERY_COMMANDS,
      busyShareMax: 1,
      readModelsModule: READ_MODELS,
      restore(kept, sequence) {
        const state = kept as ReadModelsState;
        views.restore(state.views);
        listed.restore(state.listed);
        history.restore(state.history);
        restored = sequence;
      },
      usableSequence: () => history.projectedSequence,
    },
    log: { info: log, warn: log, error: log },
  });
  opened.push(exchange);
  await installCatalogue(exchange, listed, defaultCatalogue(false));
  return { exchange, history, messages, restored, story, views };
}

async function close(): Promise<void> {
  for (const part of opened.splice(0).reverse()) await part.close();
}

const account = (userId: string): Command => ({ type: "openAccount", userId, kind: "person" });
const usd = (dollars: number): number => dollars * 1e6;
const taking = (owner: number, dollarUnits: number, bitcoins = 0): Command => ({
  type: "takePracticeFunds",
  account: owner,
  assetId: USD,
  amount: dollarUnits as Amount,
  ...(bitcoins > 0 && { otherCoins: [{ assetId: BTC, amount: (bitcoins * 1e8) as Amount }] }),
});

/** A limit order in BTC-USD, where a tick is a cent and a lot 0.0001 BTC. */
function order(owner: number, side: Side, price: number, bitcoins: number): PlaceOrder {
  return {
    type: "placeOrder",
    account: owner,
    marketId: 1,
    side,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: (price * 100) as Ticks,
    quantityLots: (bitcoins * 10_000) as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  };
}

/** Who traded with whom, whose order ended and why. */
function told(event: ExchangeEvent): string[] {
  if (event.type === "orderEnded") return [`${event.account} ended: ${event.reason}`];
  if (event.type !== "traded") return [];
  const how = event.takerSide === "buy" ? "bought of" : "sold to";
  return [`${event.takerAccount} ${how} ${event.makerAccount}`];
}

describeEachDatabase("an exchange after a billion takings", (open) => {
  test("trades, is restored, verified and accounted for to the last unit", LONG, async () => {
    const database = await open();
    const dataDir = mkdtempSync(join(tmpdir(), "openbell-supply-"));
    directories.push(dataDir);
    const first = await start(dataDir, database);
    const submit = (run: typeof first, commands: readonly Command[]) =>
      Promise.all(commands.map((command) => run.exchange.submit(command)));

    const owners = Array.from({ length: OWNERS }, (_, index) => ANN + index);
    const [, bea, cleo, dora] = owners;
    await submit(
      first,
      [...owners, RICH, SELLER, LATE].map((id) => account(`user ${id}`)),
    );
    await submit(first, [
      taking(ANN, AMOUNT_MAX - usd(100_000), 10),
      ...owners.slice(1).map((owner) => taking(owner, AMOUNT_MAX)),
      taking(RICH, AMOUNT_MAX, 10),
      taking(SELLER, usd(1), 1_000),
      order(SELLER, "sell", 64_000, 2),
      order(bea, "buy", 64_000, 1),
      order(cleo, "buy", 64_000, 3),
      // She would be paid 128 000, and may own 100 000 more.
      order(ANN, "sell", 64_000, 5),
      order(ANN, "sell", 64_000, 1),
      order(RICH, "sell", 64_500, 1),
      order(SELLER, "sell", 64_600, 1),
      order(dora, "buy", 64_600, 1),
    ]);
    expect(first.story).toEqual([
      `${bea} bought of ${SELLER}`,
      `${bea} ended: filled`,
      `${cleo} bought of ${SELLER}`,
      `${SELLER} ended: filled`,
      `${ANN} ended: balanceTooLarge`,
      `${ANN} sold to ${cleo}`,
      `${ANN} ended: filled`,
      `${RICH} ended: balanceTooLarge`,
      `${dora} bought of ${SELLER}`,
      `${SELLER} ended: filled`,
      `${dora} ended: filled`,
    ]);
    // One that fails, on a machine that is too busy, is tried again after so many commands.
    for (let looks = 0; !first.messages.includes("wrote a snapshot"); looks++) {
      if (looks === 4_000) throw new Error(`no snapshot: ${first.messages.join("; ")}`);
      await submit(
        first,
        Array.from({ length: 50 }, () => ({ type: "advanceTime" })),
      );
      await delay(50);
    }
    await first.history.whenProjected();
    const state = await first.exchange.stateHash();
    const supply = supplyOf(first.views);
    expect(supply).toBeGreaterThan(GIVEN_OUT);
    await close();

    const second = await start(dataDir, database);
    expect(second.restored).toBeGreaterThan(0);
    expect(await second.exchange.stateHash()).toEqual(state);
    expect(supplyOf(second.views)).toBe(supply);
    expect(second.views.accounts.sumOfAll(USD)).toBe(0n);

    // Money is still given out.
    const adjustment = { account: LATE, assetId: USD, amount: 5, reason: "found" };
    const outcomes = await submit(second, [
      taking(LATE, usd(100_000)),
      order(cleo, "sell", 64_000, 1),
      { type: "proposeAdjustment", ...adjustment, proposedBy: "olga" },
      { type: "approveAdjustment", adjustmentId: 1, approvedBy: "paul" },
    ]);
    expect(outcomes.map(({ rejected }) => rejected)).toEqual(outcomes.map(() => undefined));
    const late = supply + BigInt(usd(100_000));
    expect(supplyOf(second.views)).toBe(late);

    await second.history.whenProjected();
    for (const owner of [ANN, bea, SELLER, LATE]) {
      const [sums] = await second.history.read.statements({
        account: owner,
        boundsMs: [0, Number.MAX_SAFE_INTEGER],
      });
      const dollars = sums.find(({ assetId }) => assetId === USD);
      expect(dollars?.closing).toBe(BigInt(second.views.accounts.total(owner, USD)));
    }
    await close();

    const report = await verifyJournal({ dataDir });
    expect(report.faults).toEqual([]);
    expect(report.snapshots).toContain(second.restored);
    expect(report.assets[0]).toMatchObject({
      symbol: "USD",
      external: -late,
      sum: 0n,
    });
    const lines = await inspectJournal({ dataDir, to: report.sequence, account: "1" });
    expect(lines.join("\n")).toContain(`-${formatDecimal(late, 6)}`);
  });
});

function supplyOf({ accounts }: Views): bigint {
  return -accounts.exactAvailable(EXTERNAL_ACCOUNT, USD);
}
