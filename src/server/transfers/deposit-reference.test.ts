import * as fc from "fast-check";
import { expect, test } from "vitest";
import { depositReference, transferOfReference } from "./deposit-reference.ts";

test("a reference names its transfer, however it is typed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (transferId) => {
      const reference = depositReference(transferId);
      expect(transferOfReference(reference)).toBe(transferId);
      expect(transferOfReference(` ${reference.toLowerCase().replaceAll("-", " ")} `)).toBe(
        transferId,
      );
    }),
  );
  expect(depositReference(12)).toMatch(/^OB-000012-\d\d$/);
});

test("one wrong digit, or two swapped ones, name no transfer", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999 }),
      fc.nat({ max: 5 }),
      fc.integer({ min: 1, max: 9 }),
      (transferId, at, added) => {
        const reference = depositReference(transferId);
        const place = 3 + at;
        const digit = (Number(reference[place]) + added) % 10;
        const mistyped = `${reference.slice(0, place)}${digit}${reference.slice(place + 1)}`;
        expect(transferOfReference(mistyped)).toBeUndefined();
        const swapped = `${reference.slice(0, 3)}${reference[4]}${reference[3]}${reference.slice(5)}`;
        if (swapped !== reference) expect(transferOfReference(swapped)).toBeUndefined();
      },
    ),
  );
});

test.each(["", "OB", "12", "OB-0-0", "XB-000012-31", `OB-${"9".repeat(20)}-11`])(
  "%j is no reference",
  (text) => {
    expect(transferOfReference(text)).toBeUndefined();
  },
);
