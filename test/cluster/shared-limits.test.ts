/**
 * Seeded histories of one user who sends orders to three nodes as fast as they admit them, while the words of
 * the nodes to each other are delayed, lost, or do not arrive for a while. Over any time the nodes together
 * admit what one would, apart from one allowance for each other node at the beginning; and no less.
 */
import { expect, test } from "vitest";
import type { Command } from "#engine/commands.ts";
import { PLANS, PLAN_LIMITS } from "#server/catalogue/plans.ts";
import { CommandRates } from "#server/functions/command-rates.ts";
import { FunctionError } from "#server/functions/function-error.ts";
import { SharedLimits } from "#server/limits/shared-limits.ts";
import type { Views } from "#server/views/views.ts";
import { seededRandom } from "../disk/journal-disk.ts";
import { isFull } from "../support/run-counts.ts";
import { VirtualTime } from "./virtual-time.ts";

const HISTORIES = Number(process.env.SIMULATION_RUNS ?? (isFull ? 300 : 10));
const NODES = 3;
const TOLD_EVERY_MS = 100;
const SECONDS = 60;
const ORDER = { type: "placeOrder" } as Command;
const { ordersPerTenSeconds: ALLOWANCE } = PLAN_LIMITS.free;
const PER_SECOND = ALLOWANCE / 10;
/** What a node does not tell yet, and what is admitted while a word is under way. */
const UNTOLD = NODES * (ALLOWANCE / 32 + 1 + PER_SECOND);

const views = {
  accounts: { ofUser: () => undefined },
  catalogue: { plans: () => [{ definition: PLANS[0] }] },
} as unknown as Pick<Views, "accounts" | "catalogue">;

interface History {
  /** Admitted by all nodes until each second. */
  readonly admitted: readonly number[];
}

/**
 * @param lossOneIn one of so many words is lost
 * @param cutSeconds the seconds in which no word arrives
 */
async function run(
  seed: number,
  lossOneIn: number,
  cutSeconds: readonly [from: number, to: number] = [0, 0],
): Promise<History> {
  const random = seededRandom(seed);
  const time = new VirtualTime(random);
  const isCut = () => time.now() >= cutSeconds[0] * 1_000 && time.now() < cutSeconds[1] * 1_000;
  let sum = 0;
  const nodes = Array.from({ length: NODES }, (_, number) => {
    const shared = new SharedLimits(time.now);
    const rates = new CommandRates(views, { nowMs: time.now, shared });
    return { name: `node-${number}`, shared, rates };
  });
  for (const { name, rates, shared } of nodes) {
    const tell = () => {
      const report = shared.takeReport();
      for (const other of nodes) {
        if (report === undefined || other.shared === shared || isCut()) continue;
        if (random(lossOneIn) > 0)
          time.soon(TOLD_EVERY_MS, () => other.shared.receive(name, report));
      }
      time.after(TOLD_EVERY_MS, tell);
    };
    time.soon(TOLD_EVERY_MS, tell);
    const send = () => {
      const burst = 1 + random(20);
      for (let count = 0; count < burst && isAdmitted(rates); count++) sum += 1;
      time.soon(50, send);
    };
    time.soon(50, send);
  }
  const admitted: number[] = [];
  for (let second = 1; second <= SECONDS; second++) {
    await time.runUntil(() => time.now() >= second * 1_000, 2_000);
    admitted.push(sum);
  }
  return { admitted };
}

function isAdmitted(rates: CommandRates): boolean {
  try {
    rates.admit("ann", ORDER);
    return true;
  } catch (error) {
    if (error instanceof FunctionError) return false;
    throw error;
  }
}

test("three nodes admit together what one would, soon after a burst on all of them", async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { admitted } = await run(seed, Infinity);
    for (const [at, sum] of admitted.entries()) {
      const allowed = ALLOWANCE + PER_SECOND * (at + 1);
      expect(sum, `seed ${seed}, second ${at + 1}`).toBeLessThanOrEqual(
        allowed + (NODES - 1) * ALLOWANCE + UNTOLD,
      );
    }
    // What was too much in the beginning is waited for, so that in the long run nothing is.
    const last = admitted.at(-1) ?? 0;
    const allowed = ALLOWANCE + PER_SECOND * SECONDS;
    expect(last, `seed ${seed}`).toBeLessThanOrEqual(allowed + ALLOWANCE + UNTOLD);
    expect(last, `seed ${seed}`).toBeGreaterThanOrEqual(allowed - UNTOLD);
  }
});

test("words that are lost let through no more than what they told", async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { admitted } = await run(seed, 20);
    const allowed = ALLOWANCE + PER_SECOND * SECONDS;
    expect(admitted.at(-1), `seed ${seed}`).toBeLessThanOrEqual(1.3 * allowed + 2 * ALLOWANCE);
    expect(admitted.at(-1), `seed ${seed}`).toBeGreaterThanOrEqual(allowed - UNTOLD);
  }
});

test("nodes that do not hear each other count for themselves, and together again afterwards", async () => {
  const [from, to] = [15, 35];
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { admitted } = await run(seed, Infinity, [from, to]);
    const between = (first: number, last: number) => admitted[last - 1] - admitted[first - 1];
    const alone = between(from + 2, to);
    expect(alone, `seed ${seed}`).toBeGreaterThan(0.9 * NODES * PER_SECOND * (to - from - 2));
    const again = between(to + 2, SECONDS);
    expect(again, `seed ${seed}`).toBeLessThanOrEqual(PER_SECOND * (SECONDS - to - 2) + UNTOLD);
    expect(again, `seed ${seed}`).toBeGreaterThan(0);
  }
});
