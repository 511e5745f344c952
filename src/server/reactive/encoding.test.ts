import { convexToJson, type Value } from "convex/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { argumentsKey, encodeValue } from "./encoding.ts";

/** A value as the official function encodes it; undefined if it refuses it. */
function official(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(convexToJson(value as Value)));
  } catch {
    return undefined;
  }
}

function encoded(value: unknown): unknown {
  try {
    return JSON.parse(encodeValue(value));
  } catch {
    return undefined;
  }
}

const names = fc.oneof(
  fc.string({ unit: "binary", maxLength: 3 }),
  fc.constantFrom("price", "$float", "$", "__proto__", "toJSON", "n".repeat(1_025)),
);
const leaves = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  fc.constantFrom(null, undefined, -0, NaN, Infinity),
  fc.constantFrom(new ArrayBuffer(3), new Date(0), new Map(), new Set(), () => 1, Symbol("one")),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
}));

test("values are encoded and refused as the official client's library does it", () => {
  fc.assert(
    fc.property(
      values.filter((value) => value !== undefined),
      (value) => {
        expect(encoded(value)).toEqual(official(value));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("the key of arguments does not depend on the order of their fields", () => {
  expect(argumentsKey({ one: 1, two: { a: 1, b: 2 } })).toBe(
    argumentsKey({ two: { b: 2, a: 1 }, one: 1 }),
  );
});
