import { expect, test } from "vitest";
import { verificationOutcome } from "./verification-outcome.ts";

const ada = { email: "ada@example.com", emailVerified: true };
const unverified = { ...ada, emailVerified: false };

test("a link that worked says so, signed in or not", () => {
  const search = { email: "ada@example.com" };
  expect(verificationOutcome(search, null)).toEqual({ kind: "verified", email: ada.email });
  expect(verificationOutcome(search, ada)).toEqual({ kind: "verified", email: ada.email });
});

test("an address that is typed into the page's own address verifies nothing", () => {
  expect(verificationOutcome({ email: "Ada@example.com" }, unverified).kind).toBe("notVerified");
  expect(verificationOutcome({}, unverified)).toEqual({ kind: "notVerified", email: ada.email });
  expect(verificationOutcome({}, null)).toEqual({ kind: "notVerified", email: undefined });
});

test("a change is finished when the account has the new address", () => {
  const search = { email: "ada@example.com", change: true as const };
  expect(verificationOutcome(search, ada).kind).toBe("changed");
  expect(verificationOutcome(search, { ...ada, email: "old@example.com" })).toEqual({
    kind: "changeHalfDone",
    email: "ada@example.com",
  });
  expect(verificationOutcome(search, null).kind).toBe("changeConfirmed");
});

test("a link that failed offers a new one for the right address", () => {
  const search = { email: "ada@example.com", error: "token_expired" };
  expect(verificationOutcome(search, null)).toEqual({
    kind: "failed",
    code: "token_expired",
    email: "ada@example.com",
  });
  expect(verificationOutcome(search, { email: "b@example.com", emailVerified: false })).toEqual({
    kind: "failed",
    code: "token_expired",
    email: "b@example.com",
  });
  expect(verificationOutcome({ ...search, change: true }, ada)).toEqual({
    kind: "changeFailed",
    code: "token_expired",
  });
});
