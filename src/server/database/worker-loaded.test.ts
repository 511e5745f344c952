import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { sqlitePathOf } from "./sqlite.ts";
import { workerLoaded } from "./worker-loaded.ts";

const inThread = (code: string) =>
  new Worker(`const { parentPort } = require("node:worker_threads"); ${code}`, { eval: true });

test("a thread is loaded at its first message, not before", async () => {
  const worker = inThread(
    'parentPort.once("message", () => parentPort.postMessage("loaded")); setInterval(() => {}, 1e6)',
  );
  const loaded = workerLoaded(worker);
  let isLoaded = false;
  void loaded.then(() => (isLoaded = true));
  await new Promise((resolve) => worker.once("online", resolve));
  expect(isLoaded).toBe(false);
  worker.postMessage("load", []);
  await loaded;
  await worker.terminate();
});

test("a thread that ends without a message can be forgotten", async () => {
  await workerLoaded(inThread(""));
});

/** Makes a thread report when it loads a native library. */
const TELL_LOADING = `
import { parentPort } from "node:worker_threads";
const { dlopen } = process;
process.dlopen = (...given) => {
  const loading = dlopen.apply(process, given);
  parentPort.postMessage("library loaded");
  return loading;
};
`;

const CANDLES = new URL("../simulator/candle-history.ts", import.meta.url).href;
/** The threads that are ended by their owners, with their worker data. */
const threads: readonly [worker: string, data: (dataDir: string) => unknown][] = [
  ["../health/check-worker.ts", sqlitePathOf],
  ["./writer-worker.ts", (dataDir) => ({ path: sqlitePathOf(dataDir) })],
  ["../history/reader-worker.ts", (dataDir) => ({ location: { dataDir } })],
  [
    "../history/history-worker.ts",
    (dataDir) => ({ location: { dataDir }, simulatedCandlesModule: CANDLES }),
  ],
];

test.each(threads)("%s has loaded SQLite's library when it says so", async (path, dataOf) => {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-loaded-"));
  // To SQLite an empty database.
  writeFileSync(sqlitePathOf(dataDir), "");
  const worker = new Worker(new URL(path, import.meta.url), {
    workerData: dataOf(dataDir),
    execArgv: ["--import", `data:text/javascript,${encodeURIComponent(TELL_LOADING)}`],
  });
  const messages: unknown[] = [];
  worker.on("message", (message: unknown) => messages.push(message));
  await workerLoaded(worker);
  await expect.poll(() => messages.length).toBeGreaterThanOrEqual(2);
  await worker.terminate();
  rmSync(dataDir, { recursive: true });
  expect(messages[0]).toBe("library loaded");
  expect(JSON.stringify(messages[1])).toContain('"loaded"');
});
