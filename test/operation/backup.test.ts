/**
 * The backup of docs/operations.md, taken from a running server while its market trades: the copy is
 * sound, holds exactly what the original had come to at its last sequence, and a server starts on it
 * with its accounts.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { journalDirectoryOf, openExchange } from "#server/exchange/open-exchange.ts";
import { backUp } from "#server/inspection/back-up.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { isFull } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";
import { opening } from "../engine/commands.ts";

const PROGRAM = fileURLToPath(new URL("../../scripts/openbell.js", import.meta.url));

/** Each is begun at another moment of the writing. */
const COPIES = isFull ? 12 : 4;

let folder: string;
const servers: RunningServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "openbell-backup-"));
});

afterAll(async () => {
  for (const server of servers) await server.remove();
  rmSync(folder, { recursive: true });
});

function openbell(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

const sequenceOf = async (server: RunningServer): Promise<number> => {
  const health = (await (await fetch(`${server.url}/api/health`)).json()) as { sequence: number };
  return health.sequence;
};

/** A token of the server's own, for a session that began at the original. */
async function tokenOf({ url }: RunningServer, cookie: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/token`, { headers: { origin: url, cookie } });
  return ((await answer.json()) as { token: string }).token;
}

async function started(settings: Record<string, string>): Promise<RunningServer> {
  const server = await startServerProcess({ AUTH_RATE_LIMIT: "off", ...settings });
  servers.push(server);
  return server;
}

test("a running server is backed up, and the copy is started", { timeout: 300_000 }, async () => {
  const server = await started({});
  const ada = await signUp(server.url, "Ada");
  const funds = await call(server.url, "mutation", "accounts:takePracticeFunds", {}, ada.token);
  expect(funds).toMatchObject({ status: "success" });
  const before = await sequenceOf(server);

  const copy = join(folder, "copy");
  const said = openbell("backup", "--data", server.dataDir, "--to", copy);
  const sequence = Number(/sequence (\d+)/.exec(said)?.[1]);
  expect(sequence).toBeGreaterThanOrEqual(before);
  // Of the original's process nothing comes along.
  expect(readdirSync(copy).filter((name) => name.startsWith("lock"))).toEqual([]);
  // No caller waited for it.
  while ((await sequenceOf(server)) <= sequence) await delay(50);

  const hashOf = (text: string) => /state hash {2}(\w+)/.exec(text)?.[1];
  const verified = openbell("verify", "--data", copy);
  expect(verified).toContain("The journal is sound.");
  expect(verified).toContain(`sequence    ${sequence}\n`);
  const original = openbell("replay", "--data", server.dataDir, "--to", String(sequence));
  expect(hashOf(verified)).toBe(hashOf(original));

  const restored = await started({ DATA_DIR: copy, SIMULATION: "off" });
  expect(await sequenceOf(restored)).toBeGreaterThanOrEqual(sequence);
  // The session is in the accounts' database, the funds in the journal.
  const token = await tokenOf(restored, ada.cookie);
  const mine = await call(restored.url, "query", "accounts:balances", {}, token);
  const theirs = await call(server.url, "query", "accounts:balances", {}, ada.token);
  expect(mine).toMatchObject({ status: "success" });
  expect(JSON.stringify(mine.value)).toContain('"USD"');
  expect(mine.value).toEqual(theirs.value);
});

test(
  "copies of a journal that is written as fast as it goes are whole",
  { timeout: 300_000 },
  async () => {
    const dataDir = join(folder, "busy");
    const exchange = await openExchange({
      dataDir,
      onEvents: () => undefined,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      snapshots: { everyCommands: 2000, busyShareMax: 1, restore: () => undefined },
    });
    for (const command of opening(2 ** 40, 2 ** 36)) await exchange.submit(command);
    const placeMany = (round: number) =>
      Promise.all(
        Array.from({ length: 500 }, (_, index) =>
          exchange.submit({
            type: "placeOrder",
            account: 17 + (index % 2),
            marketId: 1,
            side: index % 4 < 2 ? "buy" : "sell",
            orderType: "limit",
            timeInForce: index % 3 === 0 ? "ioc" : "gtc",
            postOnly: false,
            priceTicks: (95 + ((round + index) % 11)) as Ticks,
            quantityLots: 3 as Lots,
            quoteAmount: 0 as Amount,
            clientOrderId: "",
          }),
        ),
      );
    let rounds = 0;
    /** A copy while orders come as fast as they go; what checks it afterwards need not wait for them. */
    const copyWhileTrading = async (to: string) => {
      await placeMany(rounds++);
      let isCopied = false;
      const copying = backUp({ from: dataDir, to }).finally(() => (isCopied = true));
      while (!isCopied) await placeMany(rounds++);
      return await copying;
    };
    let snapshots = 0;
    let last = 0;
    // On a quick machine these copies may be over before the first snapshot is taken.
    for (let number = 0; number < COPIES || snapshots === 0; number++) {
      const to = join(folder, `busy-${number}`);
      const { sequence } = await copyWhileTrading(to);
      expect(sequence).toBeGreaterThan(last);
      last = sequence;
      const report = await verifyJournal({ dataDir: to });
      expect(report).toMatchObject({ sequence, faults: [] });
      expect(readdirSync(journalDirectoryOf(to)).every((name) => name.startsWith("segment-"))).toBe(
        true,
      );
      snapshots += report.snapshots.length;
      // A start takes the copy as it would take the original.
      const again = await openExchange({
        dataDir: to,
        onEvents: () => undefined,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        snapshots: { restore: () => undefined },
      });
      expect(await again.stateHash()).toEqual({ sequence, hash: report.stateHash });
      await again.close();
      rmSync(to, { recursive: true });
    }
    await exchange.close();
    expect(snapshots).toBeGreaterThan(0);
  },
);

test("a backup overwrites nothing and says if there is nothing to back up", async () => {
  await expect(backUp({ from: join(folder, "busy"), to: folder })).rejects.toThrow(
    "exists already",
  );
  await expect(backUp({ from: folder, to: join(folder, "x") })).rejects.toThrow("no journal");
});
