import { expect, test } from "vitest";
import { followerText, stateMeaning } from "./state-text.ts";

test("a halt says whether the market stopped by itself", () => {
  expect(stateMeaning({ status: "halted", cause: "admin" })).toMatch(
    "open orders can be cancelled",
  );
  expect(stateMeaning({ status: "halted", cause: "breaker" })).toMatch("moved too far");
  expect(stateMeaning({ status: "auction", cause: "timer" })).toMatch("one price");
});

test("what follows a state is said by what it is", () => {
  expect(followerText("auction")).toBe("Trading begins in");
  expect(followerText("halted")).toBe("An auction begins in");
});
