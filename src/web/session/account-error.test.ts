import { expect, test } from "vitest";
import { accountAnswer, addressErrorSentence } from "./account-error.ts";

test("an answer without an error is its data", async () => {
  expect(await accountAnswer(Promise.resolve({ data: { status: true }, error: null }))).toEqual({
    status: true,
  });
});

test("a refusal keeps code and message", async () => {
  const refusal = { code: "INVALID_PASSWORD", message: "Invalid password", status: 400 };
  await expect(
    accountAnswer(Promise.resolve({ data: null, error: refusal })),
  ).rejects.toMatchObject({
    code: "INVALID_PASSWORD",
    message: "Invalid password",
  });
});

test("too many attempts are explained", async () => {
  await expect(
    accountAnswer(Promise.resolve({ data: null, error: { status: 429 } })),
  ).rejects.toThrow("Too many attempts.");
});

test("codes in the address are explained, unknown ones in general", () => {
  expect(addressErrorSentence("TOKEN_EXPIRED")).toBe("This link has expired. Ask for a new one.");
  expect(addressErrorSentence("<script>")).toBe("The sign-in did not work. Try again.");
});
