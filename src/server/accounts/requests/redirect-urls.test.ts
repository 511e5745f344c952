import { expect, test } from "vitest";
import { redirectProblem } from "./redirect-urls.ts";

test.each([
  "//evil.example",
  "/\\evil.example",
  "/a\\b",
  "/%2fevil.example",
  "/%252Fevil.example",
  "/%25252fevil.example",
  "/%2525252fevil.example",
  "/%5Cevil.example",
  "/%09/evil.example",
  "/%250a/evil.example",
  "/\t/evil.example",
  " /dashboard",
  // Browsers resolve this to a path that begins like a host.
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/%2e//evil.example",
  "/%252e//evil.example",
  "/a/%2e%2e//evil.example",
  "/a/../%2fevil.example",
  "/a/.%252e/%252fevil.example",
  "/a//b",
  "https://exchange.example/.//evil.example",
  "https://exchange.example//evil.example",
  "https://exchange.example/%2fevil.example",
])("%j is refused in every field", (address) => {
  for (const field of ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]) {
    expect(redirectProblem({ [field]: address })).toMatchObject({
      code: expect.stringMatching(/^INVALID_/),
    });
  }
});

test.each([
  "/",
  "/dashboard",
  "/trade/BTC%2DUSD",
  "/search?q=a%20b&from=%2F%2Felsewhere#%5C",
  "https://exchange.example/dashboard",
  "/100%",
  "/a/./b/../c",
  "http://127.0.0.1:3000",
])("%j is let through", (address) => {
  expect(redirectProblem({ callbackURL: address })).toBeNull();
});

test("other fields and other values are not looked at", () => {
  expect(redirectProblem({ name: "//", callbackURL: 5 })).toBeNull();
  expect(redirectProblem(null)).toBeNull();
});
