import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDecimals, formatDecimal } from "#contract/decimal.ts";
import { type InclusionProof, type SolvencyReport, verifyInclusion } from "#contract/solvency.ts";
import { type FunctionScene, openFunctionScene } from "#test/support/function-scene.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

test("each coin's sums come to zero, and a user finds the own balances in what all people own", async () => {
  await scene.as("ada").done("accounts:takePracticeFunds");
  await scene.as("bob").done("accounts:takePracticeFunds");
  const report = await scene.as(null).answer<SolvencyReport>("solvency:report");
  for (const coin of report.coins) {
    const parts = [coin.people, coin.simulated, coin.fees, coin.house, coin.external];
    expect(parts.reduce(addDecimals, coin.adjustments)).toBe(coin.sum);
    expect(Number(coin.sum), coin.coin).toBe(0);
  }
  expect(report.liabilities.people).toBe(2);

  const proof = await scene.as("ada").answer<InclusionProof | null>("solvency:proof");
  if (proof === null) throw new Error("ada owns something");
  const { balances, totals } = await verifyInclusion(proof, report.liabilities.root, hash);
  report.coins.forEach(({ coin, people, scale }, at) => {
    expect(formatDecimal(totals[at], scale), coin).toBe(people);
  });
  const dollars = report.coins.findIndex(({ coin }) => coin === "USD");
  expect(formatDecimal(balances[dollars], report.coins[dollars].scale)).toMatch(/^100000\.0+$/);
});

test("a visitor has no proof, and a user without a balance gets none", async () => {
  await expect(scene.as(null).answer("solvency:proof")).rejects.toThrow();
  expect(await scene.as("eve").answer("solvency:proof")).toBeNull();
});
