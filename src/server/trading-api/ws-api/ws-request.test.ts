import fc from "fast-check";
import { expect, test } from "vitest";
import { isRequest, parseWsRequest, request, WsRequestError } from "./ws-request.ts";

const jsonOf = (constraints: fc.JsonSharedConstraints) =>
  fc.json(constraints).map((text) => JSON.parse(text) as unknown);
const leaf = jsonOf({ maxDepth: 2 });
const id = fc.oneof(leaf, fc.integer(), fc.string({ maxLength: 40 }), fc.constant(2 ** 53));
/** JSON may name the prototype; the schema drops that. */
const name = fc.string().filter((text) => text !== "__proto__");
const value = fc.oneof(leaf, fc.string(), fc.double(), fc.boolean(), fc.array(fc.string()));
const body = fc.oneof(
  leaf,
  fc.record(
    {
      id,
      method: fc.oneof(leaf, fc.string({ maxLength: 65 })),
      params: fc.oneof(leaf, fc.dictionary(name, value)),
    },
    { requiredKeys: [] },
  ),
);

test("the short check of a request agrees with its schema", () => {
  const known = {
    id: 1,
    method: "order.place",
    params: { symbol: "BTCUSD", symbols: ["A"], a: null },
  };
  expect(isRequest(known)).toBe(true);
  fc.assert(
    fc.property(body, (given) => {
      expect(isRequest(given)).toBe(request.safeParse(given).success);
    }),
    { numRuns: 2_000 },
  );
});

test.each<[string, unknown, string]>([
  ["{", null, "Invalid JSON Request"],
  ['{"id":7}', 7, "Invalid request: 'method': "],
  ['{"id":1.5,"method":"ping"}', null, "Invalid request: 'id': "],
  ['{"id":"a","method":"ping","params":{"x":{}}}', "a", "Invalid request: 'params.x': "],
  ["[]", null, "Invalid request: "],
])("%s is refused with what is wrong with it, and its id", (text, requestId, start) => {
  const refused = (() => {
    try {
      return parseWsRequest(text);
    } catch (error) {
      return error;
    }
  })();
  if (!(refused instanceof WsRequestError)) throw new Error("it was taken");
  expect([refused.id, refused.refusal.code]).toEqual([requestId, -1135]);
  expect(refused.message).toContain(start);
});

test("texts of parameters are those that were signed, and null is none", () => {
  const params = { symbols: ["A", "B"], limit: 5, isOn: true, none: null, text: "x" };
  expect(parseWsRequest(JSON.stringify({ method: "depth", params }))).toEqual({
    id: null,
    method: "depth",
    pairs: [
      ["symbols", '["A","B"]'],
      ["limit", "5"],
      ["isOn", "true"],
      ["text", "x"],
    ],
  });
});
