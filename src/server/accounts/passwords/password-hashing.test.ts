import { APIError } from "better-auth/api";
import { expect, test } from "vitest";
import { HASHES_AT_ONCE } from "./password-threads.ts";
import { createPasswordHashing } from "./password-hashing.ts";

/** Hashing that records the order in which passwords begin, and ends when the test says so. */
function scene() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const slow = async (password: string) => {
    begun.push(password);
    await new Promise<void>((resolve) => ends.push(resolve));
  };
  const hashing = createPasswordHashing({
    hash: (password) => slow(password).then(() => `hash of ${password}`),
    verify: ({ password }) => slow(password).then(() => true),
    isWeak: (password) => slow(`judge ${password}`).then(() => false),
  });
  return {
    begun,
    signIn: (client: string, password: string, signal?: AbortSignal) =>
      hashing.duringRequest({ client, ...(signal && { signal }) }, () =>
        hashing.verify({ hash: "", password }),
      ),
    hashing,
    endAll: async () => {
      for (let ended = 0; ended < ends.length; ended++) {
        ends[ended]();
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
  };
}

test("an honest sign-in waits for one hash of each address, whatever these have waiting", async () => {
  const { begun, signIn, endAll } = scene();
  const floods = Array.from({ length: 160 }, (_, n) => signIn(`address ${n % 4}`, "wrong"));
  const honest = signIn("honest address", "right");
  await endAll();
  expect(await honest).toBe(true);
  await Promise.all(floods);
  expect(begun.indexOf("right")).toBeLessThanOrEqual(HASHES_AT_ONCE + 4);
});

test("a new password is judged in its address's turn", async () => {
  const { begun, signIn, hashing, endAll } = scene();
  const floods = Array.from({ length: 160 }, (_, n) => signIn(`address ${n % 4}`, "wrong"));
  const judged = hashing.duringRequest({ client: "honest address" }, () =>
    hashing.isWeak("new", ["Ada"]),
  );
  expect(begun).not.toContain("judge new");
  await endAll();
  expect(await judged).toBe(false);
  await Promise.all(floods);
  expect(begun.indexOf("judge new")).toBeLessThanOrEqual(HASHES_AT_ONCE + 4);
});

test("who is known on their device waits for a few turns, whatever two hundred addresses ask for", async () => {
  const { begun, signIn, hashing, endAll } = scene();
  const floods = Array.from({ length: 190 }, (_, n) => signIn(`address ${n}`, "stranger's"));
  const known = hashing.duringRequest({ client: "address 0" }, () => {
    hashing.recognize("a device");
    return hashing.verify({ hash: "", password: "right" });
  });
  await endAll();
  expect(await known).toBe(true);
  await Promise.all(floods);
  expect(begun.indexOf("right")).toBeLessThanOrEqual(HASHES_AT_ONCE + 1);
});

test("an address with a full line is refused at once, and others are not", async () => {
  const { begun, signIn, endAll } = scene();
  const flood = Array.from({ length: 60 }, () =>
    signIn("flood", "wrong").catch((error: unknown) => error),
  );
  const honest = signIn("honest", "right");
  const refusals = await Promise.race([Promise.all(flood.slice(44)), honest]);
  expect(refusals).toHaveLength(16);
  for (const refusal of refusals as unknown[]) {
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ statusCode: 429, headers: { "X-Retry-After": "5" } });
  }
  await endAll();
  expect(await honest).toBe(true);
  expect(begun.filter((password) => password === "wrong").length).toBeLessThan(44);
});

test("nothing is hashed for a caller who left before their turn", async () => {
  const { begun, signIn, endAll } = scene();
  const others = Array.from({ length: HASHES_AT_ONCE }, (_, n) => signIn(`other ${n}`, "other"));
  const caller = new AbortController();
  const abandoned = signIn("left", "abandoned", caller.signal);
  caller.abort();
  await Promise.all([expect(abandoned).rejects.toThrow(APIError), endAll()]);
  await Promise.all(others);
  expect(begun).not.toContain("abandoned");
});

test("a prepared hash answers once, in its own request only", async () => {
  const { begun, hashing, endAll } = scene();
  const made = hashing.duringRequest({ client: "ann" }, async () => {
    await hashing.prepare("secret");
    return [await hashing.hash("secret"), await hashing.hash("secret")];
  });
  await new Promise((resolve) => setTimeout(resolve));
  await endAll();
  await new Promise((resolve) => setTimeout(resolve));
  await endAll();
  expect(await made).toEqual(["hash of secret", "hash of secret"]);
  expect(begun).toEqual(["secret", "secret"]);
});
