/**
 * kill -9 at each step of transfers, always on the same data directory: asked again from the beginning,
 * every step happens once, and the money is where it is without a kill.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FEES_ACCOUNT, EXTERNAL_ACCOUNT } from "#engine/accounts/postings.ts";
import { createEngine } from "#engine/engine.ts";
import { engineOptions } from "#server/exchange/engine-options.ts";
import { eventsUntil } from "#server/inspection/journal-events.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { ANN, BOB, BTC, TransferScene, USD } from "../engine/transfer-scene.ts";
import { QUICK_START } from "../support/quick-start.ts";
import { isFull } from "../support/run-counts.ts";
import { FIRST_STEP, TRANSFER_STEPS } from "./transfer-steps.ts";

const hostPath = new URL("./transfer-host.ts", import.meta.url).pathname;
/** Every step in full; every sixth otherwise. */
const KILLED_AT = TRANSFER_STEPS.map((_, step) => step).filter(
  (step) => step >= FIRST_STEP && (isFull || (step - FIRST_STEP) % 6 === 0),
);

/** Milliseconds after a step was asked for. */
const MOMENTS = ["0", "answered", "1", "3"];

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-crash-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** Runs the host until it kills itself at the step, or to its end. */
async function run(step?: number, moment = ""): Promise<{ lines: string[]; errors: string }> {
  const args = step === undefined ? [] : [String(step), moment];
  const child = spawn(process.execPath, [...QUICK_START, hostPath, dataDir, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  let errors = "";
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  const reader = createInterface(child.stdout);
  reader.on("line", (line) => lines.push(line));
  await Promise.all([once(child, "exit"), once(reader, "close")]);
  return { lines, errors };
}

test("a kill at any step of a transfer neither loses nor repeats one", async () => {
  for (const [index, step] of KILLED_AT.entries()) {
    const { errors, lines } = await run(step, MOMENTS[index % MOMENTS.length]);
    expect(errors).toBe("");
    expect(lines).not.toContain("done");
  }
  const { errors, lines } = await run();
  expect(errors).toBe("");
  expect(lines).toContain("done");

  const engine = createEngine(engineOptions);
  const taken: string[] = [];
  for await (const events of eventsUntil({ dataDir }, Number.POSITIVE_INFINITY, engine)) {
    for (const event of events) {
      if (event.type !== "transferChanged") continue;
      const { payers, status, transferId } = event;
      taken.push(`${transferId} ${status} ${payers.join()}`);
    }
  }
  expect(taken).toHaveLength(new Set(taken).size);
  engine.read.checkInvariants();
  const undisturbed = new TransferScene([]);
  for (const command of TRANSFER_STEPS) undisturbed.applyAll(command);
  for (const account of [ANN, BOB, FEES_ACCOUNT, EXTERNAL_ACCOUNT]) {
    for (const assetId of [USD, BTC]) {
      const expected = undisturbed.engine.read.exactBalance(account, assetId);
      expect(engine.read.exactBalance(account, assetId)).toEqual(expected);
    }
  }
  const withoutTimes = (read: typeof engine.read) =>
    read.openTransfers().map((transfer) => ({ ...transfer, requestedAtMs: 0 }));
  expect(withoutTimes(engine.read)).toEqual(withoutTimes(undisturbed.engine.read));
  expect((await verifyJournal({ dataDir })).faults).toEqual([]);
});
