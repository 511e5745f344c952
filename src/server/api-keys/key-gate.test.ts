import { expect, test } from "vitest";
import { KeyGate } from "./key-gate.ts";
import type { ApiKeyRecord } from "./key-store.ts";
import { hmacKey } from "./signing-key.ts";

const HERE = "203.0.113.7";
const KEY: ApiKeyRecord = {
  id: "key",
  userId: "ada",
  name: "Bot",
  apiKey: "A".repeat(64),
  kind: "hmac",
  encryptedSecret: "",
  permissions: ["read", "trade"],
  addressRanges: [],
  createdAtMs: 0,
  expiresAtMs: null,
  lastUse: null,
};

/** A gate whose database returns the content of `stored` as of the moment of each query. */
function gateOf(stored: () => Promise<ApiKeyRecord | undefined>): KeyGate {
  return new KeyGate({
    store: {
      find: stored,
      async usable() {
        const record = await stored();
        return new Map(record === undefined ? [] : [[record.id, record]]);
      },
    },
    signingKeyOf: () => hmacKey("secret"),
    accountOf: () => 1,
    now: () => 0,
  });
}

test("a key that is revoked while it is being read is not found", async () => {
  const read = Promise.withResolvers<ApiKeyRecord>();
  const answers = [read.promise, Promise.resolve(undefined)];
  const gate = gateOf(() => answers.shift() ?? Promise.resolve(undefined));
  const found = gate.find(KEY.apiKey, HERE);
  gate.stop(KEY.id);
  read.resolve(KEY);
  await expect(found).rejects.toMatchObject({ reason: "unknown" });
  expect(gate.isLive(KEY.id)).toBe(false);
});

test("a key that another process has restricted stops at the next check, and is read again", async () => {
  let stored = KEY;
  const gate = gateOf(() => Promise.resolve(stored));
  const stopped: string[] = [];
  gate.onStopped((keyId) => stopped.push(keyId));
  await gate.find(KEY.apiKey, HERE);
  await gate.check();
  expect(stopped).toEqual([]);
  stored = { ...KEY, name: "Other" };
  await gate.check();
  expect(stopped).toEqual([]);
  stored = { ...KEY, permissions: ["read"] };
  await gate.check();
  expect(stopped).toEqual([KEY.id]);
  expect(await gate.find(KEY.apiKey, HERE)).toMatchObject({ permissions: ["read"] });
});

test("the invented keys of one address are looked up one after another, beside those of other addresses", async () => {
  const reads: PromiseWithResolvers<undefined>[] = [];
  const gate = gateOf(() => {
    const read = Promise.withResolvers<undefined>();
    reads.push(read);
    return read.promise;
  });
  const found = ["B", "C", "D"].map((letter) => gate.find(letter.repeat(64), HERE));
  const other = gate.find("E".repeat(64), "203.0.113.8");
  expect(reads).toHaveLength(2);
  const refused = [...found, other].map((each) => expect(each).rejects.toThrow());
  while (reads.length < 4) {
    for (const { resolve } of reads) resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { resolve } of reads) resolve(undefined);
  await Promise.all(refused);
});

test("a key in use is known at the last addresses from which it signed, and nowhere else", async () => {
  const gate = gateOf(() => Promise.resolve(KEY));
  expect(gate.signerAt(KEY.apiKey, HERE)).toBeUndefined();
  await gate.find(KEY.apiKey, HERE);
  expect(gate.signerAt(KEY.apiKey, HERE)).toBeUndefined();
  for (let n = 1; n <= 5; n++) gate.noteSigned(KEY.id, `203.0.113.${n}`);
  const known = [1, 2, 3, 4, 5].map((n) => gate.signerAt(KEY.apiKey, `203.0.113.${n}`));
  expect(known).toEqual([undefined, KEY.id, KEY.id, KEY.id, KEY.id]);
  gate.stop(KEY.id);
  expect(gate.signerAt(KEY.apiKey, "203.0.113.5")).toBeUndefined();
});

test("a key is known where it was last used before the server's start", async () => {
  const lastUse = { atMs: 1, address: "203.0.113.9" };
  const gate = gateOf(() => Promise.resolve({ ...KEY, lastUse }));
  await gate.find(KEY.apiKey, HERE);
  expect(gate.signerAt(KEY.apiKey, "203.0.113.9")).toBe(KEY.id);
  expect(gate.signerAt(KEY.apiKey, HERE)).toBeUndefined();
});

test("a key in use may be used from its addresses alone, and from none once it has stopped", async () => {
  const gate = gateOf(() => Promise.resolve({ ...KEY, addressRanges: ["203.0.113.0/24"] }));
  expect(gate.allows(KEY.id, HERE)).toBe(false);
  await gate.find(KEY.apiKey, HERE);
  expect([gate.allows(KEY.id, HERE), gate.allows(KEY.id, "198.51.100.9")]).toEqual([true, false]);
  gate.stop(KEY.id);
  expect(gate.allows(KEY.id, HERE)).toBe(false);
});
