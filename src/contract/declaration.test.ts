import { expect, test } from "vitest";
import { query } from "./declaration.ts";

interface Answer {
  text: string;
  list: readonly { value: number | null }[];
  pair: [string, boolean];
  optional?: string | undefined;
  choice: { kind: "a" } | { kind: "b"; of: string };
  known: Record<"one" | "two", number>;
}

test("what the wire has no place for is refused by the compiler as an answer", () => {
  const declared = [
    query({}).answers<Answer>(),
    query({}).answers<null>(),
    query({}).answers<Answer[] | null>(),
    // @ts-expect-error -- a Map
    query({}).answers<Map<string, string>>(),
    // @ts-expect-error -- a Set within
    query({}).answers<{ inside: Set<string>[] }>(),
    // @ts-expect-error -- an integer that is not a number
    query({}).answers<{ amount: bigint }>(),
    // @ts-expect-error -- a moment
    query({}).answers<{ at: Date }>(),
    // @ts-expect-error -- nothing at all
    query({}).answers<undefined>(),
    // @ts-expect-error -- holes in a list
    query({}).answers<(string | undefined)[]>(),
    // @ts-expect-error -- a field that is present without a value
    query({}).answers<{ name: string | undefined }>(),
    // @ts-expect-error -- code
    query({}).answers<{ call: () => string }>(),
    // @ts-expect-error -- names that are known only at run time, some of which may not be sendable
    query({}).answers<Record<string, number>>(),
  ];
  expect(new Set(declared.map(({ limits }) => limits.argumentBytesMax))).toEqual(new Set([8_192]));
});
