import { expect, test } from "vitest";
import { initialsOf } from "./initials.ts";

const email = "zoe@example.com";

test("both names give two letters, one name gives one", () => {
  expect(initialsOf({ name: "ada", lastname: "Lovelace", email })).toBe("AL");
  expect(initialsOf({ name: "Ada", lastname: "", email })).toBe("A");
});

test("without a name the email stands in", () => {
  expect(initialsOf({ name: " ", lastname: "", email })).toBe("Z");
});

test("a letter outside the basic plane stays whole", () => {
  expect(initialsOf({ name: "𝒜da", lastname: "", email })).toBe("𝒜");
});
