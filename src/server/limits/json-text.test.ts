import { expect, test } from "vitest";
import { cutDeepJson, isNestedDeeper, leadingMembers } from "./json-text.ts";

const nested = (depth: number, inner = "") => "[".repeat(depth) + inner + "]".repeat(depth);

test("depth is counted over arrays and objects and not inside texts", () => {
  expect(isNestedDeeper(nested(3), 3)).toBe(false);
  expect(isNestedDeeper(nested(4), 3)).toBe(true);
  expect(isNestedDeeper(`{"a":[{"b":1}]}`, 2)).toBe(true);
  expect(isNestedDeeper(JSON.stringify({ a: `"${nested(9)}\\` }), 1)).toBe(false);
  expect(isNestedDeeper("[[],[],[[]]]", 2)).toBe(true);
  expect(isNestedDeeper("[[],[],[],{}]", 2)).toBe(false);
});

test("what is too deep reads null, everything else as it was", () => {
  const text = `{"a":${nested(5)},"b":[1,"]",${nested(4, "2")},3],"c":{"d":"x"}}`;
  expect(JSON.parse(cutDeepJson(text, 3))).toEqual({
    a: [[null]],
    b: [1, "]", [null], 3],
    c: { d: "x" },
  });
  expect(cutDeepJson(text, 6)).toBe(text);
});

test("text that is no JSON stays none", () => {
  for (const text of ["[".repeat(1_000), `{"a":"`, "]]]]", `[[[[["`, ""]) {
    expect(() => JSON.parse(cutDeepJson(text, 3))).toThrow(SyntaxError);
  }
});

test.each([
  [
    `{"type":"Action","requestId":7,"udfPath":"a:b","args":[{`,
    { type: "Action", requestId: 7, udfPath: "a:b" },
  ],
  [` { "path" : "a\\"b" , "format":"json","args"`, { path: `a"b`, format: "json" }],
  [`{"args":[{}],"path":"a:b"}`, {}],
  [`{"path":"a:b`, {}],
  ["[1]", {}],
  ["", {}],
])("the beginning %s says %j", (text, members) => {
  expect({ ...leadingMembers(text) }).toEqual(members);
});
