/** A short version of `npm run simulate`, see endurance.ts. */
import { describe, expect, test } from "vitest";
import { Coverage } from "./endurance-coverage.ts";
import { shrunk } from "./endurance-shrinking.ts";
import { endure } from "./endurance.ts";

const total = new Coverage();

test.each([1, 3, 6])("seed %i holds every invariant over 160 000 commands", (seed) => {
  total.add(endure({ seed, commands: 160_000, isReplayed: true }).coverage);
});

test("in three lives nearly everything happens that can", () => {
  // Too rare to be among the commands that are watched in lives this short.
  const rare = new Set(["orders ended: insufficientAvailable", "orders ended: accountFrozen"]);
  expect(total.missing().filter((what) => !rare.has(what))).toEqual([]);
});

test("a seed is a life: run twice it ends in the same state", () => {
  const once = endure({ seed: 7, commands: 5_000 });
  expect(endure({ seed: 7, commands: 5_000 }).stateHash).toBe(once.stateHash);
});

describe("a life that fails", () => {
  test("is made as short as it can be", { timeout: 120_000 }, () => {
    // No mistake, but rare, and it takes several commands to come about.
    const check = (events: readonly { readonly type: string }[]) => {
      if (events.some(({ type }) => type === "icebergRefilled")) throw new Error("a refill");
    };
    const short = shrunk({ seed: 1, commands: 3_000, check }, 60_000);
    expect(short?.message).toBe("a refill");
    const types = short?.steps.map(({ command }) => command.type) ?? [];
    // Coins, a market, a plan, two accounts with money, two orders; accounts are known by their number.
    expect(types.filter((type) => type !== "openAccount").length).toBeLessThan(12);
  });

  test("that does not fail is not shortened", () => {
    expect(shrunk({ seed: 1, commands: 100 }, 1_000)).toBeUndefined();
  });
});
