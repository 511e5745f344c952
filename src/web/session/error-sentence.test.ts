import { ConvexError } from "convex/values";
import { expect, test } from "vitest";
import { errorDataOf, errorReason, errorSentence } from "./error-sentence.ts";

test("a refusal speaks with its own sentence and names its field", () => {
  const error = new ConvexError({
    code: "invalidArgument",
    field: "price",
    message: "Too many decimals.",
  });
  expect(errorSentence(error)).toBe("Too many decimals.");
  expect(errorDataOf(error)).toEqual({
    code: "invalidArgument",
    field: "price",
    message: "Too many decimals.",
  });
});

test.each([
  ["amount", "amount is not a number.", "Amount is not a number."],
  ["order.quoteAmount", "quoteAmount is missing.", "Quote amount is missing."],
  ["amount", "amounts differ.", "amounts differ."],
])("a refusal of %s that begins with its name is a sentence: %s", (field, message, sentence) => {
  const error = new ConvexError({ code: "invalidArgument", field, message });
  expect(errorSentence(error)).toBe(sentence);
});

test("other errors speak with their message, and values that are none with a general one", () => {
  expect(errorSentence(new Error("Offline."))).toBe("Offline.");
  expect(errorSentence("odd")).toBe("Something went wrong.");
  expect(errorDataOf(new ConvexError("text"))).toBeNull();
});

test.each([
  ["[CONVEX A(markets:candles)] Connection lost while action was in flight\n  Called by client"],
  ["[CONVEX M(orders:place)] Connection lost while action was in flight\n  Called by client"],
])("what the client wraps around a message never reaches people: %s", (message) => {
  expect(errorSentence(new Error(message))).toBe(
    "The connection was lost before the exchange answered.",
  );
  expect(errorSentence(new ConvexError(message))).not.toContain("CONVEX");
});

test.each([
  ["Failed to fetch", "The exchange could not be reached."],
  ["Load failed", "The exchange could not be reached."],
  ["NetworkError when attempting to fetch resource.", "The exchange could not be reached."],
  [
    "Failed to fetch dynamically imported module: https://exchange.example/assets/a.js",
    "A part of this page did not load: the connection failed, or the exchange was updated meanwhile.",
  ],
])("a browser's own message is put into a sentence: %s", (message, sentence) => {
  expect(errorSentence(new TypeError(message))).toBe(sentence);
});

test("a reason is given only where one is known", () => {
  expect(errorReason(new Error("Offline."))).toBe("Offline.");
  expect(errorReason(new Error(""))).toBeUndefined();
});

test("an empty message inside the wrapper speaks with a general sentence", () => {
  expect(errorSentence(new Error("[CONVEX Q(coins:list)] \n  Called by client"))).toBe(
    "Something went wrong.",
  );
});
