import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
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
