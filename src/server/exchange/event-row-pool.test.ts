import { describe, expect, test } from "vitest";
import { EventRows, releaseRows } from "./event-row-pool.ts";

describe("rows of events", () => {
  test("are shared, and of the length asked for", () => {
    const rows = new EventRows(100, 2).take();
    expect(rows.length).toBe(100);
    expect(rows.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test("belong to their reader until they are returned", () => {
    const lender = new EventRows(100, 2);
    const first = lender.take();
    const second = lender.take();
    expect(second.buffer).not.toBe(first.buffer);
    releaseRows(first);
    expect(lender.take()).toBe(first);
    releaseRows(second);
    expect(lender.take()).toBe(second);
  });

  test("beyond those that are kept are new each time", () => {
    const lender = new EventRows(100, 1);
    const kept = lender.take();
    const further = lender.take();
    releaseRows(further);
    const another = lender.take();
    expect([kept.buffer, further.buffer]).not.toContain(another.buffer);
  });

  test("are returned by any reader of a part of them, also what was never lent", () => {
    const lender = new EventRows(100, 1);
    const rows = lender.take();
    releaseRows(rows.subarray(0, 10));
    expect(lender.take()).toBe(rows);
    expect(() => releaseRows(new Float64Array(10))).not.toThrow();
  });
});
