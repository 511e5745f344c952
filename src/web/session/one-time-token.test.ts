import { expect, test } from "vitest";
import {
  carriedToken,
  destinationOf,
  oneTimeTokenOf,
  withoutOneTimeToken,
} from "./one-time-token.ts";

test("the token is found in any URL and taken out of it", () => {
  const href = "/trade?market=BTC-USD&ott=abc#book";
  expect(oneTimeTokenOf(href)).toBe("abc");
  expect(withoutOneTimeToken(href)).toBe("/trade?market=BTC-USD#book");
  expect(oneTimeTokenOf("/trade")).toBeNull();
});

test("a guard hands the token on", () => {
  expect(carriedToken("/trade?ott=abc")).toEqual({ ott: "abc" });
  expect(carriedToken("/trade")).toEqual({});
});

test("afterwards the person is where they wanted to go", () => {
  expect(destinationOf("/trade?market=ETH-USD&ott=abc")).toBe("/trade?market=ETH-USD");
  expect(destinationOf("/login?redirect=%2Ftrade%3Fmarket%3DETH-USD&ott=abc")).toBe(
    "/trade?market=ETH-USD",
  );
  expect(destinationOf("/login?ott=abc")).toBe("/dashboard");
  expect(destinationOf("/login?redirect=%2F%2Fevil.example&ott=abc")).toBe("/dashboard");
});
