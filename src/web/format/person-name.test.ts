import { expect, test } from "vitest";
import { fullNameOf, initialsOf } from "./person-name.ts";

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

test("the full name is all there is of it, else the email", () => {
  expect(fullNameOf({ name: "Ada", lastname: "Lovelace", email })).toBe("Ada Lovelace");
  expect(fullNameOf({ name: " Ada ", lastname: "", email })).toBe("Ada");
  expect(fullNameOf({ name: "", lastname: " ", email })).toBe(email);
});
