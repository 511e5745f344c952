/** Messages that break the protocol; each ends its connection with a sentence that has this in it. */
import { LONG_TEXT } from "./bad-input-orders.ts";

const MUTATION = { type: "Mutation", requestId: 0, udfPath: "orders:cancelAll", args: [{}] };
const HELLO = {
  type: "Connect",
  sessionId: "00000000-0000-4000-8000-000000000000",
  connectionCount: 0,
  lastCloseReason: null,
};
const QUERIES = { type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [] };
const ADD = { type: "Add", queryId: 1, udfPath: "venue:info", args: [{}] };

export const BROKEN_PROTOCOL: readonly (readonly [string, readonly unknown[], RegExp])[] = [
  ["text that is no JSON", ["{"], /not JSON/],
  ["an empty frame", [""], /not JSON/],
  ["null bytes", ["\u0000\u0000"], /not JSON/],
  ["JSON that is no object", [[1]], /object/],
  ["null", ["null"], /object/],
  ["no type", [{}], /type/],
  ["a type of another name", [{ type: "Subscribe" }], /type/],
  ["a type from the prototype", [{ type: "__proto__" }], /type/],
  ["nesting without end", ["[".repeat(30_000)], /not JSON/],
  ["a request before hello", [MUTATION], /before Connect/],
  ["queries before hello", [QUERIES], /before Connect/],
  ["hello without a session", [{ ...HELLO, sessionId: undefined }], /sessionId/],
  ["hello with an endless session id", [{ ...HELLO, sessionId: LONG_TEXT }], /sessionId/],
  [
    "hello with a timestamp that is none",
    [{ ...HELLO, maxObservedTimestamp: "now" }],
    /maxObservedTimestamp/,
  ],
  ["hello twice", [HELLO, HELLO], /twice/],
  ["a negative request id", [HELLO, { ...MUTATION, requestId: -1 }], /requestId/],
  [
    "a request id beyond exact numbers",
    [HELLO, '{"type":"Mutation","requestId":1e300,"udfPath":"a:b","args":[{}]}'],
    /requestId/,
  ],
  ["two argument objects", [HELLO, { ...MUTATION, args: [{}, {}] }], /args/],
  ["arguments in no array", [HELLO, { ...MUTATION, args: {} }], /args/],
  ["a path that is no text", [HELLO, { ...MUTATION, udfPath: ["orders:place"] }], /udfPath/],
  ["an endless path", [HELLO, { ...MUTATION, udfPath: LONG_TEXT }], /udfPath/],
  [
    "queries on a version to come",
    [HELLO, { ...QUERIES, baseVersion: 5, newVersion: 6 }],
    /version 5/,
  ],
  ["queries that go back in version", [HELLO, { ...QUERIES, newVersion: 0 }], /above its base/],
  ["the same query id twice", [HELLO, { ...QUERIES, modifications: [ADD, ADD] }], /twice/],
  [
    "a modification of another name",
    [HELLO, { ...QUERIES, modifications: [{ type: "Steal" }] }],
    /modifications/,
  ],
  [
    "a token on a version to come",
    [HELLO, { type: "Authenticate", tokenType: "None", baseVersion: 9 }],
    /version 9/,
  ],
  [
    "an endless token",
    [HELLO, { type: "Authenticate", tokenType: "User", value: "x".repeat(20_000), baseVersion: 0 }],
    /value/,
  ],
];
