/** An exchange whose PostgreSQL goes away and comes back, behind connections that the test cuts. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnPostgres, postgresUrl } from "./databases.ts";

// The history and the health look again every few seconds, which a busy machine stretches: each wait has a
// minute, and all together have more.
const PATIENCE = { timeout: 60_000 };
vi.setConfig({ testTimeout: 5 * PATIENCE.timeout });

describeOnPostgres("while the database is away", (open) => {
  const start = exchangeStarter(open);
  let close = (): unknown => undefined;
  afterEach(() => close());

  async function cuttable() {
    const target = new URL(postgresUrl);
    const sockets = new Set<Socket>();
    let isCut = false;
    const server = createServer((client) => {
      if (isCut) {
        client.destroy();
        return;
      }
      const behind = connect(Number(target.port || 5432), target.hostname);
      for (const [socket, other] of [
        [client, behind],
        [behind, client],
      ]) {
        sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
      }
      client.pipe(behind).pipe(client);
    });
    close = () => server.close();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = new URL(postgresUrl);
    url.hostname = "127.0.0.1";
    url.port = String((server.address() as AddressInfo).port);
    return {
      url,
      cut() {
        isCut = true;
        for (const socket of sockets) socket.destroy();
      },
      mend: () => (isCut = false),
    };
  }

  test("sign-in says 503, open connections trade on, the health says why, and nothing is missing afterwards", async () => {
    const database = await open();
    const between = await cuttable();
    between.url.searchParams.set("options", `-c search_path=${database.location.schema}`);
    const exchange = await start({ DATABASE_URL: between.url.href }, { database });
    const ada = await exchange.trader("ada@example.com");
    const health = async () => {
      const answer = await fetch(`${exchange.url}/api/health`);
      const report = (await answer.json()) as { problems: { part: string; reason: string }[] };
      return { code: answer.status, problems: report.problems };
    };
    // A new token is checked against the database, and what the connection asks behind it waits for that.
    await expect.poll(() => ada.socket.tokens()).toBeGreaterThan(1);
    const orders = [await ada.rest()];

    between.cut();
    orders.push(await ada.rest());
    expect((await ada.browser.get("/get-session")).status).toBe(503);
    await expect
      .poll(health, PATIENCE)
      .toMatchObject({ code: 200, problems: expect.arrayContaining([unreachableHistory]) });
    orders.push(await ada.rest());

    between.mend();
    const partsOf = async () => (await health()).problems.map(({ part }) => part);
    await expect.poll(partsOf, PATIENCE).not.toContain("history");
    expect((await ada.browser.get("/get-session")).status).toBe(200);
    const stored = database.read.selectFrom("orders").select("order_id").orderBy("order_id");
    await expect
      .poll(async () => (await stored.execute()).map((row) => String(row.order_id)), PATIENCE)
      .toEqual(orders);
    const shown = await ada.http.query(functions.orders.open, {});
    expect(shown.map(({ orderId }) => orderId).sort()).toEqual(orders.sort());
  });
});

const unreachableHistory = expect.objectContaining({
  part: "history",
  reason: "the database cannot be reached",
});
