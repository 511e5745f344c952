/** The formulas of money stand in one place: arithmetic on units elsewhere in the engine is refused. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unitArithmeticIn } from "./unit-arithmetic.ts";

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "openbell-formulas-"));
  for (const name of ["src", "package.json", "tsconfig.base.json"]) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true }));

describe("arithmetic on units", () => {
  test("stands in amount.ts and money-formulas.ts only: call their functions, or add one there", () => {
    expect(unitArithmeticIn(resolve("."))).toEqual([]);
  });

  test("is found anywhere else, and sums of like units are not", () => {
    const path = "src/engine/orders/planted.ts";
    const lines = [
      `import type { Amount, Bps, Lots, Ticks } from "../amount.ts";`,
      `import type { OrderBook } from "../book/order-book.ts";`,
      `export function planted(book: OrderBook, ticks: Ticks, lots: Lots, bps: Bps, fee: Amount) {`,
      `  let left: number = lots;`,
      `  const notional = 5 * lots * book.tickLotUnits;`,
      `  const base = left * book.lotUnits;`,
      `  const share = left * bps;`,
      `  const whole = fee / 2;`,
      `  const unlike = lots + ticks;`,
      `  left *= ticks;`,
      `  left %= lots;`,
      `  const fine = fee - fee + fee - 1 + (lots - lots) + left;`,
      `  return [notional, base, share, whole, unlike, left, fine];`,
      `}`,
    ];
    writeFileSync(join(copy, path), lines.join("\n"));
    expect(unitArithmeticIn(copy)).toEqual([
      `${path}:5: 5 * lots * book.tickLotUnits`,
      `${path}:5: 5 * lots`,
      `${path}:6: left * book.lotUnits`,
      `${path}:7: left * bps`,
      `${path}:8: fee / 2`,
      `${path}:9: lots + ticks`,
      `${path}:10: left *= ticks`,
      `${path}:11: left %= lots`,
    ]);
  });
});
