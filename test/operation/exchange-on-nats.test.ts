/**
 * An exchange that keeps its journal in NATS JetStream: it survives the stream's leader and its own
 * kill, is replaced by a second one without losing or doubling a command, and moves there and back.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConvexClient } from "convex/browser";
import { anyApi } from "convex/server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Exchange } from "#server/exchange/exchange.ts";
import { ExchangeStoppedError } from "#server/exchange/exchange-errors.ts";
import { openExchange } from "#server/exchange/open-exchange.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { opening } from "../engine/commands.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { hasPostgres, onPostgres, postgresUrlOf } from "../support/own-database.ts";
import { isFull } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

const PROGRAM = fileURLToPath(new URL("../../scripts/openbell.js", import.meta.url));

describeOnNats("an exchange on NATS", () => {
  const cluster = sharedCluster();
  let folder: string;
  let stream: string;
  let journal: string;
  let snapshots: number;
  let warnings: string[];
  const opened: Exchange[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "openbell-on-nats-"));
    stream = freshStream();
    journal = cluster().address(stream);
    snapshots = 0;
    warnings = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((exchange) => exchange.close()));
    opened.length = 0;
    rmSync(folder, { recursive: true });
  });

  async function open(name: string): Promise<Exchange> {
    const exchange = await openExchange({
      dataDir: join(folder, name),
      journal,
      onEvents: () => undefined,
      snapshots: { everyCommands: 500, busyShareMax: 1, restore: () => undefined },
      log: {
        info: (_, message) => void (message === "wrote a snapshot" && (snapshots += 1)),
        warn: (_, message) => void warnings.push(message),
        error: () => undefined,
      },
    });
    opened.push(exchange);
    return exchange;
  }

  const place = (exchange: Exchange, index: number) =>
    exchange.submit(
      {
        type: "placeOrder",
        account: 17 + (index % 2),
        marketId: 1,
        // Each pair trades, so that few orders stay open.
        side: index % 2 === 0 ? "buy" : "sell",
        orderType: "limit",
        timeInForce: "gtc",
        postOnly: false,
        priceTicks: 100 as Ticks,
        quantityLots: 3 as Lots,
        quoteAmount: 0 as Amount,
        clientOrderId: "",
      },
      `order-${index}`,
    );

  test("loses and doubles no command when the server that leads its stream is killed", async () => {
    const exchange = await open("one");
    for (const command of opening(2 ** 40, 2 ** 36)) await exchange.submit(command);
    const leader = await cluster().leaderOf(stream);
    const sequences: number[] = [];
    const placeMany = async (from: number) => {
      const indices = Array.from({ length: 200 }, (_, index) => from + index);
      const outcomes = await Promise.all(indices.map((index) => place(exchange, index)));
      sequences.push(...outcomes.map(({ sequence }) => sequence));
      expect(outcomes.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
    };
    for (let from = 0; from < 800; from += 200) await placeMany(from);
    const waiting = placeMany(800);
    cluster().signal(leader, "SIGKILL");
    for (let from = 1000; from < 1600; from += 200) await placeMany(from);
    await waiting;
    expect(new Set(sequences).size).toBe(1600);
    expect(exchange.health().status).toBe("ok");
    await expect.poll(() => snapshots).toBeGreaterThan(0);
    const { sequence, hash } = await exchange.stateHash();
    await exchange.close();
    await cluster().restart(leader);

    // From a snapshot and the stream after it; and from the whole stream.
    const again = await open("one");
    expect(await again.stateHash()).toEqual({ sequence, hash });
    const dataDir = join(folder, "one");
    expect(existsSync(join(dataDir, "journal"))).toBe(false);
    const report = await verifyJournal({ dataDir, journal });
    expect(report).toMatchObject({ sequence, stateHash: hash, faults: [] });
    expect(report.snapshots.length).toBeGreaterThan(0);
    expect((await place(again, 850)).events).toMatchObject([{ type: "requestRepeated" }]);
  });

  test("stops when a second one has taken over, which has all that the first acknowledged", async () => {
    const first = await open("one");
    for (const command of opening(2 ** 40, 2 ** 36)) await first.submit(command);
    const acknowledged: number[] = [];
    let failure: unknown;
    const trading = (async () => {
      try {
        for (let index = 0; ; index++) {
          const { rejected } = await place(first, index);
          expect(rejected).toBeUndefined();
          acknowledged.push(index);
        }
      } catch (error) {
        failure = error;
      }
    })();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
    const second = await open("two");
    // The first learns of it with its next append.
    await trading;
    expect(failure).toBeInstanceOf(ExchangeStoppedError);
    expect(first.health()).toMatchObject({ status: "stopped" });
    expect(first.health().failure).toContain("Another writer has taken over the journal");
    for (const index of acknowledged) {
      expect((await place(second, index)).events).toMatchObject([{ type: "requestRepeated" }]);
    }
    const { sequence, hash } = await second.stateHash();
    const { faults, stateHash } = await verifyJournal({ dataDir: folder, journal });
    expect({ faults, stateHash }).toEqual({ faults: [], stateHash: hash });
    // One of the first may have been taken whose answer it could not give any more.
    const commands = opening(1, 1).length + acknowledged.length;
    const repeats = acknowledged.length;
    expect(sequence - commands - repeats).toBeLessThanOrEqual(1);
  });

  const servers: RunningServer[] = [];
  beforeAll(() => void (servers.length = 0));
  afterAll(async () => {
    for (const server of servers) await server.remove();
  });

  async function started(settings: Record<string, string>): Promise<RunningServer> {
    const server = await startServerProcess({
      AUTH_RATE_LIMIT: "off",
      SIMULATION: "off",
      ...settings,
    });
    servers.push(server);
    return server;
  }

  function openbell(args: readonly string[], settings: Record<string, string> = {}): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      encoding: "utf8",
      env: { ...process.env, ...settings },
    });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  /** With a session that began in an earlier process. */
  async function tokenAt({ url }: RunningServer, cookie: string): Promise<string> {
    const answer = await fetch(`${url}/api/auth/token`, { headers: { origin: url, cookie } });
    return ((await answer.json()) as { token: string }).token;
  }
  async function balancesOf(server: RunningServer, cookie: string): Promise<unknown> {
    const token = await tokenAt(server, cookie);
    const { value } = await call(server.url, "query", "accounts:balances", {}, token);
    return value;
  }

  test("is moved there, killed, backed up, and moved back", { timeout: 300_000 }, async () => {
    const inFiles = await started({});
    const ada = await signUp(inFiles.url, "Ada");
    const funds = await call(inFiles.url, "mutation", "accounts:takePracticeFunds", {}, ada.token);
    expect(funds).toMatchObject({ status: "success" });
    const before = await balancesOf(inFiles, ada.cookie);
    await inFiles.stop();
    const dataDir = join(folder, "data");
    cpSync(inFiles.dataDir, dataDir, { recursive: true });
    const moved = openbell(["journal", "copy", "--from", dataDir, "--to", journal]);
    expect(moved).toContain("lead to the same state");

    const settings = { DATA_DIR: dataDir, NATS_URL: journal };
    const server = await started(settings);
    expect(await balancesOf(server, ada.cookie)).toEqual(before);
    const bob = await signUp(server.url, "Bob");
    await call(server.url, "mutation", "accounts:takePracticeFunds", {}, bob.token);
    const ofBob = await balancesOf(server, bob.cookie);
    await server.kill();
    await server.restart();
    expect(await balancesOf(server, bob.cookie)).toEqual(ofBob);

    const verified = openbell(["verify"], settings);
    expect(verified).toContain("The journal is sound.");
    const elsewhere = cluster().address(freshStream());
    expect(() => openbell(["verify"], { ...settings, NATS_URL: elsewhere })).toThrow(
      `there is no journal in ${elsewhere}`,
    );
    const backup = join(folder, "backup");
    openbell(["backup", "--to", backup], settings);
    expect(openbell(["verify", "--data", backup])).toContain("The journal is sound.");
    await server.stop();
    expect(() => openbell(["begin-anew"], settings)).toThrow("another stream in NATS_URL");

    // Without the setting it would continue where the files ended.
    await expect(started({ DATA_DIR: dataDir })).rejects.toThrow(
      "acknowledged commands are missing",
    );
    openbell(["journal", "copy", "--from", journal, "--to", dataDir]);
    const back = await started({ DATA_DIR: dataDir });
    expect(await balancesOf(back, ada.cookie)).toEqual(before);
    expect(await balancesOf(back, bob.cookie)).toEqual(ofBob);
  });

  // Four starts: with FULL alone.
  test.skipIf(!isFull || !hasPostgres)(
    "with PostgreSQL runs on two nodes, of which one goes on when the other is killed",
    { timeout: 300_000 },
    async () => {
      const name = `openbell_nodes_${process.pid}`;
      await onPostgres(`create database ${name}`);
      try {
        const shared = {
          DATABASE_URL: postgresUrlOf(name),
          NATS_URL: journal,
          AUTH_SECRET: "0123456789abcdef0123456789abcdef",
        };
        const first = await started({ ...shared, DATA_DIR: join(folder, "first") });
        const second = await started({ ...shared, DATA_DIR: join(folder, "second") });
        const nodeOf = async ({ url }: RunningServer) => {
          const answer = await fetch(`${url}/api/health/ready`).catch(() => null);
          return { isReady: answer?.ok, ...((await answer?.json()) as object) };
        };
        const isRole = (server: RunningServer, role: string) =>
          expect.poll(() => nodeOf(server)).toMatchObject({ isReady: true, node: { role } });
        await isRole(first, "leader");
        await isRole(second, "standby");

        // A command of the standby is in its own views when it is answered, and soon in the leader's.
        const ada = await signUp(second.url, "Ada");
        await call(second.url, "mutation", "accounts:takePracticeFunds", {}, ada.token);
        const before = await balancesOf(second, ada.cookie);
        expect(JSON.stringify(before)).toContain("USD");
        await expect.poll(() => balancesOf(first, ada.cookie)).toEqual(before);

        // What one node changes of a user's own data, the other shows.
        const page = new ConvexClient(first.url, {
          skipConvexDeploymentUrlCheck: true,
          logger: false,
        });
        page.setAuth(() => tokenAt(first, ada.cookie));
        let watched: unknown;
        page.onUpdate(anyApi.watchlist.list, {}, (list: unknown) => (watched = list));
        await expect.poll(() => watched).toEqual([]);
        await call(second.url, "mutation", "watchlist:add", { markets: ["BTC-USD"] }, ada.token);
        await expect.poll(() => watched).toEqual(["BTC-USD"]);
        await page.close();

        await first.kill();
        await isRole(second, "leader");
        const bob = await signUp(second.url, "Bob");
        await call(second.url, "mutation", "accounts:takePracticeFunds", {}, bob.token);
        const ofBob = await balancesOf(second, bob.cookie);
        await first.restart();
        await isRole(first, "standby");
        expect(await balancesOf(first, ada.cookie)).toEqual(before);
        expect(await balancesOf(first, bob.cookie)).toEqual(ofBob);

        expect(openbell(["cluster", "status"], shared)).toMatch(/^role .*\nleader .*\nstandby /);
        openbell(["cluster", "step-down"], shared);
        await isRole(first, "leader");
        openbell(["cluster", "step-down"], shared);
        await isRole(second, "leader");

        // Stopped, it hands over; what both have seen is in the tables once.
        await second.stop();
        await isRole(first, "leader");
        const cleo = await signUp(first.url, "Cleo");
        await call(first.url, "mutation", "accounts:takePracticeFunds", {}, cleo.token);
        const history = async () => {
          const { history, sequence } = (await nodeOf(first)) as {
            history?: { projectedSequence: number; status: string };
            sequence?: number;
          };
          return { ...history, behind: (sequence ?? 0) - (history?.projectedSequence ?? 0) };
        };
        await expect.poll(history).toMatchObject({ status: "ok", behind: 0 });
        const verified = openbell(["verify"], { ...shared, DATA_DIR: first.dataDir });
        expect(verified).toContain("The journal is sound.");
      } finally {
        for (const server of servers) await server.kill();
        await onPostgres(`drop database ${name} with (force)`);
      }
    },
  );
});
