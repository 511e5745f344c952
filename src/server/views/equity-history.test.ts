import { describe, expect, test } from "vitest";
import { EquityHistory } from "./equity-history.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = 1_700_000_000_000 - (1_700_000_000_000 % HOUR_MS);

function restored(history: EquityHistory): EquityHistory {
  const again = new EquityHistory();
  again.restore(structuredClone(history.state()));
  return again;
}

describe("the history of what a person owned", () => {
  test("says what was owned at any moment, the last of each minute", () => {
    const history = new EquityHistory();
    expect(history.at(START_MS)).toBeUndefined();
    history.keep(START_MS, [7, 0], 7n);
    history.keep(START_MS + 1, [5, 2], 7n);
    history.keep(START_MS + MINUTE_MS, [4, 3], 7n);
    for (const known of [history, restored(history)]) {
      expect(known.at(START_MS)).toBeUndefined();
      const first = { timeMs: START_MS + 1, totals: [5, 2], deposited: 7n };
      expect(known.at(START_MS + 1)).toEqual(first);
      expect(known.at(START_MS + MINUTE_MS - 1)).toEqual(first);
      expect(known.at(START_MS + HOUR_MS)?.totals).toEqual([4, 3]);
    }
  });

  test("keeps what was deposited exactly, however much, also where more was taken away", () => {
    const history = new EquityHistory();
    const deposits = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 30n + 7n];
    const all = [...deposits, ...deposits.map((deposited) => -deposited)];
    all.forEach((deposited, index) => {
      history.keep(START_MS + index * MINUTE_MS, [1], deposited);
    });
    const known = restored(history);
    all.forEach((deposited, index) => {
      expect(known.at(START_MS + index * MINUTE_MS)?.deposited).toBe(deposited);
    });
  });

  test("owned nothing of a coin before it was listed", () => {
    const history = new EquityHistory();
    history.keep(START_MS, [9], 9n);
    history.keep(START_MS + MINUTE_MS, [8, 1, 0], 9n);
    expect(history.at(START_MS)?.totals).toEqual([9, 0, 0]);
    expect(history.at(START_MS + MINUTE_MS)?.totals).toEqual([8, 1, 0]);
  });

  test("forgets minutes after a day and keeps hours", () => {
    const history = new EquityHistory();
    const minutes = 5000;
    for (let minute = 0; minute < minutes; minute += 1) {
      history.keep(START_MS + minute * MINUTE_MS, [minute], 0n);
    }
    const known = restored(history);
    expect(known.at(START_MS + (minutes - 1000) * MINUTE_MS)?.totals).toEqual([minutes - 1000]);
    expect(known.at(START_MS + 90 * MINUTE_MS)?.totals).toEqual([59]);
    expect(known.state().minutes.rows.length).toBeLessThan(4 * 2000);
  });
});
