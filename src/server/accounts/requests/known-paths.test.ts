import { expect, test } from "vitest";
import { createKnownPaths } from "./known-paths.ts";

const known = createKnownPaths([
  { path: "/ok" },
  { path: "/callback/:id" },
  { path: "/callback/:id/more" },
  { path: undefined },
]);

test("a path is known by the pattern that it follows", () => {
  expect(known("/ok")).toBe("/ok");
  expect(known("/ok/")).toBe("/ok");
  expect(known("/callback/acme")).toBe("/callback/:id");
  expect(known("/callback/acme/more")).toBe("/callback/:id/more");
});

test("every other path is unknown", () => {
  for (const path of [
    "",
    "/",
    "/okay",
    "/ok/more",
    "/callback",
    "/callback/",
    "/callback/a/b",
    "/OK",
  ])
    expect([path, known(path)]).toEqual([path, null]);
});

test("a path of very many slashes is looked at once", () => {
  // A search of the rest of the path from each slash would exceed the test's time limit.
  expect(known(`/ok${"/".repeat(300_000)}x`)).toBe(null);
  expect(known(`/ok${"/".repeat(300_000)}`)).toBe("/ok");
});
