import { hashPassword, verifyPassword } from "better-auth/crypto";
import { expect, test } from "vitest";
import {
  HASHES_AT_ONCE,
  hashInThread,
  isWeakInThread,
  verifyInThread,
} from "./password-threads.ts";

// The ligature is two letters once it is normalized.
const PASSWORD = "correct horse ﬁle";

test("the library's hashes are read, and it reads ours", async () => {
  const ours = await hashInThread(PASSWORD);
  expect(await verifyPassword({ hash: ours, password: PASSWORD })).toBe(true);
  const theirs = await hashPassword(PASSWORD);
  expect(await verifyInThread({ hash: theirs, password: PASSWORD })).toBe(true);
  expect(await verifyInThread({ hash: theirs, password: `${PASSWORD}!` })).toBe(false);
  expect(await verifyInThread({ hash: `${theirs}00`, password: PASSWORD })).toBe(false);
});

test("a password is judged in a thread, knowing what stands beside it", async () => {
  const judge = (password: string) => isWeakInThread(password, ["Ada", "Lovelace"]);
  expect(await Promise.all(["lovelace1815", "plum-Harbour-7731-kites"].map(judge))).toEqual([
    true,
    false,
  ]);
});

test("a password gets a new salt each time", async () => {
  const [first, second] = await Promise.all([hashInThread(PASSWORD), hashInThread(PASSWORD)]);
  expect(first).not.toBe(second);
});

test("more than there are threads wait for one, and a stored text that is no hash fails alone", async () => {
  const hashes = await Promise.all(
    Array.from({ length: 2 * HASHES_AT_ONCE + 1 }, () => hashInThread(PASSWORD)),
  );
  expect(new Set(hashes).size).toBe(hashes.length);
  await expect(verifyInThread({ hash: "no hash", password: PASSWORD })).rejects.toThrow("no hash");
  const [hash] = hashes;
  expect(await verifyInThread({ hash, password: PASSWORD })).toBe(true);
});
