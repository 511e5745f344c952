/** The effects of a visitor's requests: what they leave behind, and which users they keep out. */
import { expect, test } from "vitest";
import { storedTime } from "#server/database/accounts-tables.ts";
import { scan } from "#test/support/authenticator-app.ts";
import { startAccounts } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

const LIMITED = { AUTH_RATE_LIMIT: "on" };
const EMAIL = "ada@example.com";

describeShareOfDatabases("a stranger", (openDatabase) => {
  test("who invents paths writes nothing and is told that there is nothing", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    const browser = server.browser();
    for (const path of [
      "/nothing",
      "/sign-in/nothing",
      "/ok/more",
      "/admin",
      "/callback",
      "",
      "/",
    ]) {
      const read = await browser.get(path);
      const posted = await browser.post(path, { email: EMAIL, password: "x" });
      expect([path, read.status, posted.status, posted.body.code]).toEqual([
        path,
        404,
        404,
        "NOT_FOUND",
      ]);
    }
    expect(await server.database.read.selectFrom("rateLimit").select("key").execute()).toEqual([]);
  });

  test("who invents tokens is counted in one row, and refused as often", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    const browser = server.browser();
    const statuses: number[] = [];
    for (let guess = 0; guess < 105; guess += 1) {
      statuses.push((await browser.get(`/reset-password/guess-${guess}?callbackURL=/`)).status);
    }
    expect(statuses.slice(0, 100).every((status) => status === 302)).toBe(true);
    expect(statuses.slice(100)).toEqual([429, 429, 429, 429, 429]);
    const rows = await server.database.read.selectFrom("rateLimit").select(["key"]).execute();
    expect(rows).toEqual([{ key: expect.stringMatching(/\|\/reset-password\/:token$/) }]);
  });

  test("who guesses a password does not lock its owner out of a device that signed in before", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    const owner = server.browser();
    await owner.signUp(EMAIL);
    await owner.post("/sign-out", {});
    let host = 0;
    const guess = async (browser = server.browser()) => {
      host += 1;
      server.clientAddress = `203.0.113.${host}`;
      return (await browser.signIn(EMAIL, "wrong wrong wrong")).status;
    };
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await guess()).toBe(401);
    expect(await guess()).toBe(429);
    // One password of a network is checked in that time; after that the correct one waits as well.
    expect((await server.browser().signIn(EMAIL)).status).toBe(429);

    server.clientAddress = "198.51.100.1";
    expect((await owner.signIn(EMAIL)).status).toBe(200);
    await owner.post("/sign-out", {});
    // That opens nothing for others, and the device has its own limit.
    expect(await guess()).toBe(429);
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await guess(owner)).toBe(401);
    expect(await guess(owner)).toBe(429);
  });

  test("who guesses a password does not lock its owner out of a network that signed in before", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    server.clientAddress = "2001:db8:1:2:aaaa::1";
    await server.browser().signUp(EMAIL);
    await server.browser().signUp("eve@example.com");
    const guessFrom = async (address: string, email = EMAIL) => {
      server.clientAddress = address;
      return (await server.browser().signIn(email, "wrong wrong wrong")).status;
    };
    for (let host = 1; host <= 10; host += 1)
      expect(await guessFrom(`203.0.113.${host}`)).toBe(401);
    expect(await guessFrom("203.0.113.11")).toBe(429);

    // Nor does a client that names that network instead of an address.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const named = [`${EMAIL} 2001:db8:1:2::/64`, `["${EMAIL}","2001:db8:1:2::/64"]`];
      for (const text of named) await guessFrom(`203.0.113.${20 + attempt}`, text);
    }

    // Another device, on the same network by another of its addresses.
    server.clientAddress = "2001:db8:1:2:bbbb::9";
    expect((await server.browser().signIn(EMAIL)).status).toBe(200);
    expect(await guessFrom("203.0.113.11")).toBe(429);
    // Who shares the network has a limit as well, for each account.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await guessFrom("2001:db8:1:2::c")).toBe(401);
    }
    expect(await guessFrom("2001:db8:1:2::d")).toBe(429);
    expect(await guessFrom("2001:db8:1:2::d", "eve@example.com")).toBe(401);
    // Neither another network nor another user's is known.
    expect(await guessFrom("2001:db8:1:3::1")).toBe(429);
    const kept = await server.database.read.selectFrom("known_addresses").select("key").execute();
    expect(kept).toHaveLength(2);
    for (const { key } of kept) expect(key).toMatch(/^[\w-]{43}$/);
  });

  test("networks without a visit for half a year are forgotten, a hundred with each sign-in", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    await server.browser().signUp(EMAIL);
    const seenAtMs = Date.now() - 181 * 86_400_000;
    await server.database.write
      .insertInto("known_addresses")
      .values(Array.from({ length: 150 }, (_, at) => ({ key: `old-${at}`, seen_at_ms: seenAtMs })))
      .execute();
    const left = async () => {
      expect((await server.browser().signIn(EMAIL)).status).toBe(200);
      const keys = server.database.read.selectFrom("known_addresses").select("key");
      return (await keys.where("key", "like", "old-%").execute()).length;
    };
    expect(await left()).toBe(50);
    expect(await left()).toBe(0);
  });

  test("who guesses a password keeps its owner out of no new device on a new network", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    await server.browser().signUp(EMAIL);
    const signInFrom = async (address: string, password?: string) => {
      server.clientAddress = address;
      const answer = await server.browser().signIn(EMAIL, password);
      return [answer.status, answer.body.code, answer.headers.has("x-retry-after")];
    };
    const wrong = "wrong wrong wrong";
    for (let host = 1; host <= 10; host += 1) {
      expect((await signInFrom(`203.0.113.${host}`, wrong))[0]).toBe(401);
    }
    const closed = [429, "TOO_MANY_REQUESTS", true];
    // Checked and not checked read alike, and a network is checked once.
    expect(await signInFrom("198.51.100.1", wrong)).toEqual(closed);
    expect(await signInFrom("198.51.100.1")).toEqual(closed);
    expect((await signInFrom("198.51.100.2"))[0]).toBe(200);
  });

  test("a closed account checks a hundred passwords a day, and then none", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    await server.browser().signUp(EMAIL);
    const signInFrom = async (address: string, password?: string) => {
      server.clientAddress = address;
      return (await server.browser().signIn(EMAIL, password)).status;
    };
    for (let host = 1; host <= 110; host += 1) {
      const status = await signInFrom(`203.0.113.${host}`, "wrong wrong wrong");
      expect(status).toBe(host <= 10 ? 401 : 429);
    }
    expect(await signInFrom("198.51.100.1")).toBe(429);
  });

  test("a site opens 500 accounts a day, from however many networks, and another site is not held up", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    const nowMs = Date.now();
    const signUpFrom = async (address: string, email: string) => {
      server.clientAddress = address;
      const answer = await server.browser().signUp(email);
      return [answer.status, answer.headers.has("x-retry-after")];
    };
    expect(await signUpFrom("2001:db8:1:1::1", "first@example.com")).toEqual([200, false]);
    await server.database.write
      .updateTable("account_attempts")
      .set({ attempts: 499 })
      .where("key", "like", "signUpOfSite:%")
      .where("window_started_ms", ">=", nowMs)
      .execute();
    expect(await signUpFrom("2001:db8:1:2::1", "last@example.com")).toEqual([200, false]);
    expect(await signUpFrom("2001:db8:1:3::1", "refused@example.com")).toEqual([429, true]);
    expect(await signUpFrom("2001:db8:2:3::1", "other@example.com")).toEqual([200, false]);
  });

  test("the remains of thousands of visitors are removed in batches", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    const { read, write } = server.database;
    const left = async () => [
      (
        await read
          .selectFrom("account_attempts")
          .select("key")
          .where("key", "like", "old-%")
          .execute()
      ).length,
      (await read.selectFrom("rateLimit").select("key").where("key", "like", "old-%").execute())
        .length,
    ];
    const keys = Array.from({ length: 1_200 }, (_, number) => `old-${number}`);
    await write
      .insertInto("account_attempts")
      .values(keys.map((key) => ({ key, attempts: 1, window_started_ms: 0 })))
      .execute();
    await write
      .insertInto("rateLimit")
      .values(keys.map((key) => ({ id: key, key, count: 1, lastRequest: 0 })))
      .execute();
    const browser = server.browser();
    const signIn = () => browser.post("/sign-in/email", { email: EMAIL, password: "wrong one" });
    await signIn();
    const [attempts, requests] = await left();
    expect([attempts > 0, requests > 0]).toEqual([true, true]);
    for (let more = 0; more < 3; more += 1) await signIn();
    expect(await left()).toEqual([0, 0]);
  });

  test("unconfirmed requests of visitors are removed in batches, without a call", async () => {
    const database = await openDatabase();
    const rowsOf = (prefix: string) =>
      Array.from({ length: 500 }, (_, number) => {
        const then = storedTime(database, Date.now() - 1_000);
        const id = `${prefix}-${number}`;
        const times = { expiresAt: then, createdAt: then, updatedAt: then };
        return { id, identifier: id, value: "{}", ...times };
      });
    const left = async (prefix: string) =>
      (
        await database.read
          .selectFrom("verification")
          .select("id")
          .where("id", "like", `${prefix}-%`)
          .execute()
      ).length;
    await database.write.insertInto("verification").values(rowsOf("early")).execute();
    const server = await startAccounts(database);
    await expect.poll(() => left("early")).toBe(0);
    await database.write.insertInto("verification").values(rowsOf("late")).execute();
    const reset = { token: "unknown", newPassword: "plum harbour kites" };
    expect((await server.browser().post("/reset-password", reset)).status).toBe(400);
    expect(await left("late")).toBe(500);
  });

  test("who knows the password but not the code is no known device", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    const owner = server.browser();
    await owner.signUp(EMAIL);
    const enabled = await owner.post("/two-factor/enable", { password: "correct horse battery" });
    await owner.post("/two-factor/verify-totp", { code: scan(enabled.body.totpURI).code() });
    const stranger = server.browser();
    expect((await stranger.signIn(EMAIL)).body.twoFactorRedirect).toBe(true);
    expect([...stranger.cookies.keys()]).toEqual(["better-auth.two_factor"]);
  });

  test("gains nothing by a device that is known for another account, or made up", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    await server.browser().signUp(EMAIL);
    const eve = server.browser();
    await eve.signUp("eve@example.com");
    await eve.post("/sign-out", {});
    const name = [...eve.cookies.keys()].find((each) => each.includes("known_device")) ?? "";
    const forged = server.browser();
    let host = 0;
    const guess = async (browser: typeof eve) => {
      host += 1;
      server.clientAddress = `203.0.113.${host}`;
      return (await browser.signIn(EMAIL, "wrong wrong wrong")).status;
    };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      forged.cookies.set(name, `device-${attempt}.digest.signature`);
      statuses.push(await guess(attempt % 2 === 0 ? eve : forged));
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  test("gains nothing by having signed up with an address before its owner proved it", async () => {
    const server = await startAccounts(await openDatabase(), LIMITED);
    const stranger = server.browser();
    await stranger.signUp(EMAIL);
    await stranger.post("/sign-out", {});
    await server.database.write
      .updateTable("user")
      .set({ emailVerified: server.database.dialect === "sqlite" ? 1 : true })
      .where("email", "=", EMAIL)
      .execute();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      server.clientAddress = `203.0.113.${attempt}`;
      const browser = attempt % 2 === 0 ? stranger : server.browser();
      statuses.push((await browser.signIn(EMAIL, "wrong wrong wrong")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });
});
