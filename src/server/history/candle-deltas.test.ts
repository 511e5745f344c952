import { expect, test } from "vitest";
import { simulatedCandles } from "../simulator/candle-history.ts";
import { simulatedMinutes } from "../views/simulated-minutes.ts";
import { CandleDeltas, simulatedCandleRows } from "./candle-deltas.ts";

test("a simulated history keeps hours and days of all its time, and minutes of the last 32 days", () => {
  const startedMs = Date.UTC(2026, 10, 26, 3, 17);
  const columns = simulatedCandles(7, "BTC-USD", startedMs);
  const whole = new CandleDeltas();
  for (const minute of simulatedMinutes(columns, 1)) whole.add(1, minute);
  const firstMs = Date.UTC(2026, 10, 26) - 32 * 86_400_000;
  const expected = whole.rows
    .filter((row) => row.interval_seconds > 60 || row.open_time >= firstMs)
    .toSorted((a, b) => a.interval_seconds - b.interval_seconds);
  const rows = simulatedCandleRows(1, columns, 1);
  expect(rows[0].open_time).toBe(firstMs);
  expect(rows).toEqual(expected);
});

test("a market without a simulated history has no rows", () => {
  const columns = simulatedCandles(7, "NO-SUCH", Date.UTC(2026, 10, 26));
  expect(simulatedCandleRows(1, columns, 1)).toEqual([]);
});
