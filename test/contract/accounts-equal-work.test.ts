/**
 * No one learns from the time of an answer who has an account, and no one waits for another's
 * password: told by the work that is done and by what waits for what, never by a clock.
 */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startAccounts, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

// Many passwords are hashed: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

/** What the password hashing was asked for; while `gate` is set it waits for it. */
const work = vi.hoisted(() => ({
  hashes: 0,
  verifications: 0,
  gate: null as Promise<void> | null,
}));
vi.mock("#server/accounts/passwords/password-threads.ts", async (importOriginal) => {
  const original =
    await importOriginal<typeof import("#server/accounts/passwords/password-threads.ts")>();
  return {
    ...original,
    async hashInThread(password: string) {
      work.hashes += 1;
      await work.gate;
      return original.hashInThread(password);
    },
    async verifyInThread(input: { hash: string; password: string }) {
      work.verifications += 1;
      await work.gate;
      return original.verifyInThread(input);
    },
  };
});
beforeEach(() => {
  work.gate = null;
});

/** How many passwords a request has hashed or compared: each costs the same. */
async function workOf(request: () => Promise<{ status: number }>): Promise<[number, number]> {
  const before = work.hashes + work.verifications;
  const { status } = await request();
  return [status, work.hashes + work.verifications - before];
}

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Takes connections and never says a word. @returns its address and how many came */
async function startSilentMailServer() {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, connections: () => sockets.size };
}

async function userWithoutPassword(server: TestServer, email: string): Promise<void> {
  const { id } = (await server.browser().signUp(email)).body.user;
  await server.database.write.deleteFrom("account").where("userId", "=", id).execute();
}

describeShareOfDatabases("work that does not reveal who exists", (openDatabase) => {
  test("every failed sign-in compares or hashes one password, for any address", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const root = server.browser();
    await root.signUp("root@example.com");
    await server.browser().signUp("ada@example.com");
    const banned = (await server.browser().signUp("banned@example.com")).body.user.id;
    await root.post("/admin/ban-user", { userId: banned });
    await userWithoutPassword(server, "federated@example.com");
    for (const email of [
      "ada@example.com",
      "banned@example.com",
      "federated@example.com",
      "unknown@example.com",
    ]) {
      expect([
        email,
        await workOf(() => server.browser().signIn(email, "not the password")),
      ]).toEqual([email, [401, 1]]);
    }
    const unverified = await startAccounts(await openDatabase(), {
      REQUIRE_EMAIL_VERIFICATION: "on",
    });
    await unverified.browser().signUp("ada@example.com");
    for (const email of ["ada@example.com", "unknown@example.com"]) {
      const attempt = () => unverified.browser().signIn(email, "not the password");
      expect([email, await workOf(attempt)]).toEqual([email, [401, 1]]);
    }
  });

  test("every sign-up hashes one password, also of an address that is taken", async () => {
    for (const [settings, taken] of [
      [{}, 422],
      [{ REQUIRE_EMAIL_VERIFICATION: "on" }, 200],
    ] satisfies [Record<string, string>, number][]) {
      const server = await startAccounts(await openDatabase(), settings);
      const attempt = () => server.browser().signUp("ada@example.com");
      expect(await workOf(attempt)).toEqual([200, 1]);
      expect(await workOf(attempt)).toEqual([taken, 1]);
    }
  });

  test("asking for a reset is answered before anything is looked up, stored or mailed", async () => {
    const mail = await startSilentMailServer();
    const server = await startAccounts(await openDatabase(), { SMTP_URL: mail.url });
    await server.browser().signUp("ada@example.com");
    const { write } = server.database;
    for (const path of ["/request-password-reset", "/forget-password"]) {
      // Whatever would be written has to wait until this transaction is over.
      await write.transaction().execute(async (transaction) => {
        await transaction.updateTable("user").set({ name: "Ada" }).execute();
        if (server.database.dialect === "postgres") {
          const { sql } = await import("kysely");
          await sql`lock table verification in access exclusive mode`.execute(transaction);
        }
        for (const email of ["ada@example.com", "unknown@example.com"]) {
          const ask = () => server.browser().post(path, { email });
          expect([email, await workOf(ask)]).toEqual([email, [200, 0]]);
        }
      });
    }
    await expect
      .poll(async () => {
        const rows = await server.database.read.selectFrom("verification").select("id").execute();
        return rows.length;
      })
      .toBe(2);
  });

  test("no answer waits for a mail, also where the mail server never speaks", async () => {
    const mail = await startSilentMailServer();
    const server = await startAccounts(await openDatabase(), { SMTP_URL: mail.url });
    const browser = server.browser();
    expect((await browser.signUp("ada@example.com")).status).toBe(200);
    const email = "ada@example.com";
    expect((await browser.post("/send-verification-email", { email })).status).toBe(200);
    expect((await browser.post("/change-email", { newEmail: "b@example.com" })).status).toBe(200);
    expect((await browser.post("/delete-user", { callbackURL: "/" })).status).toBe(200);
    await expect.poll(mail.connections).toBeGreaterThan(0);
  });

  test("15 sign-ups at once hold no other reads or writes up", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const release = Promise.withResolvers<void>();
    work.gate = release.promise;
    const hashesBefore = work.hashes;
    const count = 15;
    const signUps = Promise.all(
      Array.from({ length: count }, (_, each) =>
        server.browser().signUp(`user-${each}@example.com`),
      ),
    );
    await expect.poll(() => work.hashes).toBeGreaterThan(hashesBefore);
    // All of them stand still with their passwords, and hold neither a transaction nor a connection.
    for (let each = 0; each < 5; each += 1) {
      expect((await browser.get("/get-session")).status).toBe(200);
      expect((await browser.get("/one-time-token/generate")).status).toBe(200);
      expect((await browser.post("/update-user", { name: `Ada ${each}` })).status).toBe(200);
    }
    expect(await server.database.read.selectFrom("user").select("id").execute()).toHaveLength(1);
    release.resolve();
    expect((await signUps).map(({ status }) => status)).toEqual(
      Array.from({ length: count }, () => 200),
    );
    expect(work.hashes - hashesBefore).toBe(count);
  });
});
