import { expect, test } from "vitest";
import { KEY_FAULT_NAMES, KEY_FAULTS } from "#contract/key-faults.ts";
import { FAULT_GROUPS, faultEntriesOf, faultError, faultsOf } from "./fault-entries.ts";

test("the dialog has a field for every fault that is a number", () => {
  const shown = FAULT_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name));
  const numbers = KEY_FAULT_NAMES.filter((name) => KEY_FAULTS[name].unit !== "switch");
  expect(shown.toSorted()).toEqual(numbers.toSorted());
});

test("faults are sent again as they were entered, and what is empty is off", () => {
  const entries = { ...faultEntriesOf(undefined), latencyMs: "200", clockSkewMs: "-5" };
  expect(entries.cutPercent).toBe("");
  const faults = faultsOf(entries);
  expect(faults).toMatchObject({ latencyMs: 200, clockSkewMs: -5, cutPercent: 0, halted: 0 });
  expect(faultEntriesOf(faults)).toEqual(entries);
});

test.each([
  ["latencyMs", "5000", undefined],
  ["latencyMs", "", undefined],
  ["latencyMs", "5001", "A whole number from 0 to 5000"],
  ["latencyMs", "1.5", "A whole number from 0 to 5000"],
  ["latencyMs", "-1", "A whole number from 0 to 5000"],
  ["clockSkewMs", "-30000", undefined],
  ["clockSkewMs", "soon", "A whole number from -30000 to 30000"],
] as const)("%s of %j has the error %j", (name, entry, error) => {
  expect(faultError(name, entry)).toBe(error);
});
