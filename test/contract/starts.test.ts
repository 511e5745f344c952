/** What a start does to what it finds: with a real exchange, its files and its database. */
import { chmodSync, closeSync, mkdtempSync, openSync, statSync, writeSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { ConvexHttpClient } from "convex/browser";
import { beforeAll, expect, test } from "vitest";
import { functions } from "#contract/functions.ts";
import { copyExchange } from "#test/support/running-server.ts";
import { exchangeStarter, type TestExchange, until } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

const CONNECT =
  '{"type":"Connect","sessionId":"s","connectionCount":0,"lastCloseReason":null,"clientTs":0}';

/** Of an exchange whose simulation has begun. */
const dataDir = mkdtempSync(join(tmpdir(), "openbell-starts-"));
beforeAll(() => copyExchange("on", dataDir));

describeOnSqlite("a start", (open) => {
  const start = exchangeStarter(open);

  test.skipIf(process.platform === "win32")(
    "closes a data directory that others could read",
    async () => {
      const exchange = await start();
      await exchange.stop();
      const { dataDir } = exchange.database.location;
      const paths = [dataDir, join(dataDir, "journal"), join(dataDir, "openbell.sqlite")];
      chmodSync(paths[0], 0o755);
      chmodSync(paths[1], 0o755);
      chmodSync(paths[2], 0o644);
      await start({}, exchange);
      expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
    },
  );

  test("answers that it is starting until it is ready", async () => {
    const port = await freePort();
    const seen = new Set<string>();
    let isStarting = true;
    const watching = (async () => {
      while (isStarting) {
        const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
        if (answer !== null) {
          const { status } = (await answer.json()) as { status: string };
          seen.add(`${answer.status} ${status}`);
        }
        await pause(5);
      }
    })();
    const exchange = await start({ PORT: String(port) });
    isStarting = false;
    await watching;
    expect(seen).toContain("503 starting");
    const ready = await fetch(`${exchange.url}/api/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ok" }]);
  });

  test("has the pages of its database looked through, and damage in the health", async () => {
    const exchange = await start();
    await exchange.stop();
    await exchange.database.close();
    const path = join(exchange.database.location.dataDir, "openbell.sqlite");
    const file = new DatabaseSync(path);
    file.exec("create table large (a integer primary key, b text)");
    file.exec(
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) " +
        "insert into large select i, hex(randomblob(50)) from n",
    );
    file.close();
    const bytes = openSync(path, "r+");
    // In the middle of the rows that were just written.
    writeSync(bytes, new Uint8Array(4096).fill(0x5a), 0, 4096, statSync(path).size - 4096 * 20);
    closeSync(bytes);
    const damaged = await start({}, exchange);
    const problems = async () => {
      const answer = await fetch(`${damaged.url}/api/health`);
      const { problems: found } = (await answer.json()) as { problems: { reason: string }[] };
      return found.map(({ reason }) => reason);
    };
    await until(async () => (await problems()).includes("the database is damaged"), "the finding");
  });

  test("holds as many connections of an address as the settings say", async () => {
    const limits = { CONNECTIONS_PER_ADDRESS: "12", REACTIVE_CONNECTIONS_PER_ADDRESS: "2" };
    const { url } = await start(limits);
    const left = { idle: 0, live: 0 };
    const { port } = new URL(url);
    const idle = Array.from({ length: 20 }, () => connect(Number(port), "127.0.0.1"));
    for (const socket of idle) {
      socket.on("error", () => {}).once("close", () => (left.idle += 1));
      socket.resume();
    }
    await until(() => left.idle === 8, "the end of the idle ones beyond the limit");
    for (const socket of idle) socket.destroy();
    const live = Array.from(
      { length: 5 },
      () => new WebSocket(`${url.replace("http", "ws")}/api/1.48.0/sync`),
    );
    for (const socket of live) {
      socket.addEventListener("open", () => socket.send(CONNECT));
      socket.addEventListener("close", () => (left.live += 1));
    }
    await until(() => left.live === 3, "the end of the live ones beyond the limit");
    for (const socket of live) socket.close();
  });

  test("without the simulation withdraws what it had left in the books", async () => {
    const exchange = await start({ SIMULATION: "on" }, { database: { location: { dataDir } } });
    await until(async () => (await levelsOf(exchange)) > 0, "an order of the simulation");
    await exchange.stop();
    const without = await start({ SIMULATION: "off" }, exchange);
    expect(await levelsOf(without)).toBe(0);
  });
});

async function levelsOf({ url }: TestExchange): Promise<number> {
  const client = new ConvexHttpClient(url, { skipConvexDeploymentUrlCheck: true, logger: false });
  const { bids, asks } = await client.query(functions.markets.book, { market: "BTC-USD" });
  return bids.length + asks.length;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
