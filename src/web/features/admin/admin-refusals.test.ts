import { expect, test } from "vitest";
import { askAdmin, refusalSentence } from "./admin-refusals.ts";

const refused = (code: string, message: string) =>
  askAdmin(Promise.resolve({ data: null, error: { code, message, status: 403 } }));

test("a refusal is a sentence that says what to do", async () => {
  await expect(refused("YOU_CANNOT_BAN_YOURSELF", "You cannot ban yourself")).rejects.toThrow(
    "You cannot ban yourself. Ask another administrator.",
  );
  await expect(refused("PASSWORD_TOO_SHORT", "Password too short")).rejects.toThrow(
    "This password is too short. Use a longer one.",
  );
});

test("a former administrator is told about the role, whatever was asked", () => {
  const sentence = refusalSentence("YOU_ARE_NOT_ALLOWED_TO_BAN_USERS", "");
  expect(sentence).toMatch(/role does not allow/);
  expect(refusalSentence("YOU_ARE_NOT_ALLOWED_TO_LIST_USERS", "")).toBe(sentence);
});

test("what is not known here speaks with the server's sentence", () => {
  expect(refusalSentence("LAST_ADMIN", "There is no other administrator.")).toBe(
    "There is no other administrator.",
  );
});

test("an answer that is no refusal is handed on", async () => {
  expect(await askAdmin(Promise.resolve({ data: { user: 1 }, error: null }))).toEqual({ user: 1 });
});
