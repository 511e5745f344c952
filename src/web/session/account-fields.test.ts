import { describe, expect, test } from "vitest";
import { emailError, nameError, newPasswordError } from "./account-fields.ts";
import { isEmail } from "./email.ts";

describe("isEmail", () => {
  test.each(["a@b.co", "first.last+tag@mail.example.com", "UPPER@EXAMPLE.ORG", "o_o@x-y.example"])(
    "accepts %s",
    (value) => expect(isEmail(value)).toBe(true),
  );

  test.each([
    "",
    "a",
    "a@b",
    "@b.co",
    "a@",
    "a b@c.de",
    "a@@b.co",
    "a@b..co",
    "a@-b.co",
    ".a@b.co",
    "a.@b.co",
    "a..b@c.de",
    "<a@b.co>",
    `${"a".repeat(250)}@b.co`,
    7,
    null,
    undefined,
  ])("refuses %s", (value) => expect(isEmail(value)).toBe(false));
});

test("an email is judged without the spaces around it", () => {
  expect(emailError(" a@b.co ")).toBeUndefined();
  expect(emailError("   ")).toBe("Enter your email");
  expect(emailError("nonsense")).toBe("Invalid email");
});

test("a new password has 8 to 128 characters", () => {
  // Both rules at once, so that the second is not a surprise after the first.
  expect(newPasswordError("1234567")).toMatch(/^Use at least 8 characters that are hard to guess/);
  expect(newPasswordError("12345678")).toBeUndefined();
  expect(newPasswordError("x".repeat(128))).toBeUndefined();
  expect(newPasswordError("x".repeat(129))).toBe("Use at most 128 characters");
});

test("a name is not blank and not endless", () => {
  expect(nameError(" ")).toBe("Enter your name");
  expect(nameError("Ada")).toBeUndefined();
  expect(nameError("x".repeat(81))).toBe("Use at most 80 characters");
});
