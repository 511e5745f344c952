import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, type Database } from "../database/open-database.ts";
import { createSilentLog } from "../log.ts";
import { CursorError } from "../database/cursor.ts";
import { openHistory, type History } from "./history.ts";
import { ReaderThread } from "./reader-thread.ts";

const log = createSilentLog();
let dataDir: string;
let database: Database;
let history: History;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "openbell-reader-"));
  database = await openDatabase({ dataDir, log });
  await database.migrate();
  history = await openHistory({ database, log });
});
afterAll(async () => {
  await history.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

test("the loop of the main thread turns while the history is read", async () => {
  let isRead = false;
  const read = history.read.orders({ account: 1, limit: 10 }).then((page) => {
    isRead = true;
    return page;
  });
  await nextTurn();
  expect(isRead).toBe(false);
  expect(await read).toEqual({ items: [], cursor: null });
});

test("every read is answered in the thread", async () => {
  const { read } = history;
  const page = { items: [], cursor: null };
  expect(await read.order(1, 1)).toBeUndefined();
  expect(await read.fill(1, 1, 1)).toBeUndefined();
  expect(await read.fillsOfOrder(1, 1, 5)).toEqual([]);
  expect(await read.fills({ account: 1, limit: 5 })).toEqual(page);
  expect(await read.ledgerEntries(1, 1)).toEqual([]);
  expect(await read.statements({ account: 1, boundsMs: [0, 1] })).toEqual([[]]);
  expect(await read.fillEntries({ account: 1, orderId: 1, tradeId: 1, sequence: 1 })).toEqual([]);
  expect(await read.trades({ marketId: 1, limit: 5 })).toEqual(page);
  expect(await read.candles({ marketId: 1, interval: "1m", before: 1, limit: 5 })).toEqual([]);
  expect(await read.activity({ account: 1, limit: 5 })).toEqual(page);
});

test("errors keep their kind on the way out of the thread", async () => {
  const { read } = history;
  const wrong = read.orders({ account: 1, limit: 10, cursor: "wrong" });
  await expect(wrong).rejects.toThrow(CursorError);
  await expect(read.fills({ account: 1, limit: 0 })).rejects.toThrow(RangeError);
});

test("a thread that cannot work fails its reads, and the next read tries again", async () => {
  const thread = new ReaderThread({ dataDir: join(dataDir, "openbell.sqlite", "inside") }, log);
  const read = () => thread.reads.orders({ account: 1, limit: 10 });
  await expect(read()).rejects.toThrow("thread that reads the history");
  await expect(read()).rejects.toThrow("thread that reads the history");
  await thread.close();
  await expect(read()).rejects.toThrow("closed");
});
