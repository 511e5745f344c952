import { expect, test } from "vitest";
import { SecretCipher } from "./secret-cipher.ts";

const AUTH_SECRET = "a-secret-of-tests-that-is-long-enough-0123456789";
const [first, second] = ["A".repeat(64), "B".repeat(64)];

test("a secret is read again by the server's secret that encrypted it, also in a later process", () => {
  const stored = new SecretCipher(AUTH_SECRET).encrypt("the secret", first);
  expect(stored).not.toContain("the secret");
  expect(new SecretCipher(AUTH_SECRET).decrypt(stored, first)).toBe("the secret");
});

test("the same secret is encrypted differently each time", () => {
  const cipher = new SecretCipher(AUTH_SECRET);
  expect(cipher.encrypt("the secret", first)).not.toBe(cipher.encrypt("the secret", first));
});

test("nothing is read by another server's secret, nor of another key, nor of altered text", () => {
  const cipher = new SecretCipher(AUTH_SECRET);
  const stored = cipher.encrypt("the secret", first);
  expect(new SecretCipher(`${AUTH_SECRET}!`).decrypt(stored, first)).toBeUndefined();
  expect(cipher.decrypt(stored, second)).toBeUndefined();
  const last = stored.at(-1) === "A" ? "Q" : "A";
  expect(cipher.decrypt(stored.slice(0, -1) + last, first)).toBeUndefined();
  for (const text of ["", "1.", "2." + stored.slice(2), stored.slice(0, 30)]) {
    expect(cipher.decrypt(text, first)).toBeUndefined();
  }
});
