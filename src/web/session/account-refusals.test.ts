import { expect, test } from "vitest";
import { AccountError, type ClientAnswer } from "./account-error.ts";
import {
  askAccounts,
  isAboutNewPassword,
  isStepOver,
  needsNewSignIn,
  urlErrorSentence,
} from "./account-refusals.ts";

const refused = (code: string, message = "As the server says.", status = 400) =>
  askAccounts(Promise.resolve({ data: null, error: { code, message, status } }));

test("a refusal says what to do next, and keeps its code", async () => {
  await expect(refused("INVALID_EMAIL_OR_PASSWORD")).rejects.toMatchObject({
    code: "INVALID_EMAIL_OR_PASSWORD",
    message: "Invalid email or password. Try again, or reset your password.",
  });
  await expect(refused("ACCOUNT_TEMPORARILY_LOCKED", "", 429)).rejects.toThrow("Wait 15 minutes");
});

test("a refusal that is not known here speaks with the server's sentence", async () => {
  await expect(refused("PASSWORD_TOO_WEAK", "Add another word.")).rejects.toMatchObject({
    code: "PASSWORD_TOO_WEAK",
    message: "Add another word.",
  });
});

test("an answer that never came is explained", async () => {
  const none = Promise.reject<ClientAnswer<null>>(new TypeError("Failed to fetch"));
  await expect(askAccounts(none)).rejects.toThrow("The exchange cannot be reached.");
});

test("a failure of another kind stays what it is", async () => {
  const failure = new Error("odd");
  await expect(askAccounts(Promise.reject<ClientAnswer<null>>(failure))).rejects.toBe(failure);
});

test.each([
  ["TOKEN_EXPIRED", "This link has expired. Ask for a new one."],
  ["email_doesn't_match", "The provider knows you under another email than this account has."],
  ["signup disabled", "New accounts cannot be created this way. Sign in another way."],
  ["signup_disabled", "New accounts cannot be created this way. Sign in another way."],
  ["<script>", "The sign-in did not work. Try again."],
  ["constructor", "The sign-in did not work. Try again."],
])("the code %s in the URL is explained", (code, sentence) => {
  expect(urlErrorSentence(code)).toBe(sentence);
});

test("refusals are told apart by what they ask of a page", () => {
  const error = (code: string) => new AccountError(code, "");
  expect(needsNewSignIn(error("SESSION_NOT_FRESH"))).toBe(true);
  expect(needsNewSignIn(error("SESSION_EXPIRED"))).toBe(true);
  expect(needsNewSignIn(error("INVALID_PASSWORD"))).toBe(false);
  expect(isStepOver(error("INVALID_TWO_FACTOR_COOKIE"))).toBe(true);
  expect(isStepOver(error("INVALID_CODE"))).toBe(false);
  expect(isAboutNewPassword(error("PASSWORD_TOO_WEAK"))).toBe(true);
  expect(isAboutNewPassword(error("INVALID_PASSWORD"))).toBe(false);
  expect(needsNewSignIn(new Error("SESSION_NOT_FRESH"))).toBe(false);
});
