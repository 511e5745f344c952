/** Each planted fault makes the test that is named for it fail. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { hasNats } from "../support/on-nats.ts";
import { isFull } from "../support/run-counts.ts";
import type { Outcome, Trial } from "./fault-runner.ts";
import { PLANTED_FAULTS } from "./planted-faults.ts";

/** Far longer than any of the tests takes: one that notices nothing must not pass for an endless one. */
const PATIENCE_MS = 120_000;

/** All of them in full; every fourth otherwise. */
const tried = PLANTED_FAULTS.filter(
  ({ caughtBy }, index) => (isFull || index % 4 === 0) && (hasNats || caughtBy.isOnNats !== true),
);

let runner: ChildProcess | undefined;
afterAll(endRunner);

test("there are at least thirty, each of its own", () => {
  expect(PLANTED_FAULTS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(PLANTED_FAULTS.map(({ name }) => name)).size).toBe(PLANTED_FAULTS.length);
});

test.each(PLANTED_FAULTS)("there is one line for it where $name", ({ file, line }) => {
  const source = readFileSync(file, "utf8");
  expect(source.split(line).length - 1, `"${line}" stands in ${file} once`).toBe(1);
});

test("without a fault a test passes here as it does by itself", async () => {
  const { file, test } = PLANTED_FAULTS[0].caughtBy;
  const outcome = await outcomeOf({ file, tests: [test] });
  expect(outcome).toEqual({ states: { [test]: "passed" }, errors: [] });
});

test.each(tried)("it is noticed when $name", async (fault) => {
  const { caughtBy } = fault;
  const outcome = await outcomeOf({ fault, file: caughtBy.file, tests: [caughtBy.test] });
  if (outcome === "endless") return;
  // A file that cannot be loaded notices nothing.
  expect(outcome.errors).toEqual([]);
  expect(["failed", "pending"]).toContain(outcome.states[caughtBy.test]);
});

async function outcomeOf(trial: Trial): Promise<Outcome | "endless"> {
  runner ??= spawn(process.execPath, ["test/faults/fault-runner.ts"], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // A group of its own, so that the processes it starts end with it.
    detached: true,
  });
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const answered = once(runner, "message", { signal: patience });
  const ended = once(runner, "exit").then(() => {
    throw new Error("the runner of faults ended");
  });
  ended.catch(() => undefined);
  runner.send(trial);
  try {
    const [outcome] = await Promise.race([answered, ended]);
    return outcome as Outcome;
  } catch (error) {
    if (!patience.aborted) throw error;
    endRunner();
    return "endless";
  }
}

function endRunner(): void {
  if (runner?.pid !== undefined) process.kill(-runner.pid, "SIGKILL");
  runner = undefined;
}
