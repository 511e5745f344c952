import { expect, test } from "vitest";
import { accountAnswer } from "./account-error.ts";

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

test("too many attempts are explained, and keep the code that says of what", async () => {
  const some = Promise.resolve({ data: null, error: { status: 429 } });
  await expect(accountAnswer(some)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: "Too many attempts. Wait a moment and try again.",
  });
  const locked = { status: 429, code: "ACCOUNT_TEMPORARILY_LOCKED" };
  await expect(accountAnswer(Promise.resolve({ data: null, error: locked }))).rejects.toMatchObject(
    { code: "ACCOUNT_TEMPORARILY_LOCKED" },
  );
});
