import { expect, test } from "vitest";
import { isWeakPassword } from "./password-strength.ts";

const ABOUT = ["Ada", "Lovelace", "ada.byron@analytical.example", "Openbell"];

test.each([
  "password1",
  "P@ssw0rd",
  "Password123!",
  "qwerty12345",
  "1q2w3e4r5t",
  "11111111",
  "abcdefgh",
  "19901231",
  "iloveyou2",
  "football1!",
  // Weak for this user only, and on this server only.
  "lovelace1815",
  "Analytical1",
  "adaadaada",
  "openbell2026",
  "bitcoin1!",
  // Length alone is not strength.
  "a".repeat(128),
  "abcabcabcabcabcabcabcabcabcabcabcabc",
  "password".repeat(16),
])("%s is weak", async (password) => {
  expect(await isWeakPassword(password, ABOUT)).toBe(true);
});

test.each([
  "correct horse battery",
  "my dog eats 3 shoes",
  "x7Kq9mPz",
  "tr0mb0ne-lizard",
  "чужой длинный пароль",
  "密码是很长的一个句子",
  // Strong at either end.
  `${"a".repeat(64)}gT5#kk29vw!x`,
  `gT5#kk29vw!x${"a".repeat(64)}`,
])("%s is not", async (password) => {
  expect(await isWeakPassword(password, ABOUT)).toBe(false);
});

test("words about the person count for that person only", async () => {
  expect(await isWeakPassword("Lovelace1", ABOUT)).toBe(true);
  expect(await isWeakPassword("Lovelace1", [])).toBe(false);
});

test("texts of any length and kind can stand beside it", async () => {
  const about = ["", "x", "\u{1f600}".repeat(50), "word ".repeat(1000), "n".repeat(100)];
  expect(await isWeakPassword("correct horse battery", about)).toBe(false);
});
