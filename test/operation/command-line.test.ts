/** `openbell verify`, `replay` and `export`, as an operator runs them, beside a running exchange. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import type { Exchange } from "#server/exchange/exchange.ts";
import { openExchange, snapshotDirectoryOf } from "#server/exchange/open-exchange.ts";
import { coin, market, plan } from "../engine/commands.ts";

const PROGRAM = fileURLToPath(new URL("../../scripts/openbell.js", import.meta.url));

let dataDir: string;
let exchange: Exchange;
let snapshots = 0;
const events: ExchangeEvent[] = [];

const order = (terms: Partial<PlaceOrder>): PlaceOrder => ({
  type: "placeOrder",
  account: 16,
  marketId: 1,
  side: "buy",
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: 12_345 as Ticks,
  quantityLots: 20 as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId: "",
  ...terms,
});

/** One tick is 0.01 USD, one lot 0.00001 AAA; the taker fee 1 %, the maker fee 0.5 %. */
const COMMANDS: Command[] = [
  { type: "listCoin", coin: coin("USD", 6) },
  { type: "listCoin", coin: { ...coin("AAA", 8), name: 'The "A", quoted' } },
  { type: "listMarket", market: market("AAA", { tickLotUnits: 1, lotUnits: 10_000 }) },
  { type: "definePlan", plan: plan("free", { makerFeeBps: 50, takerFeeBps: 100 }) },
  { type: "openAccount", userId: "ada", kind: "person" },
  { type: "openAccount", userId: "bot", kind: "participant" },
  { type: "takePracticeFunds", account: 16, assetId: 1, amount: 10_000_000 as Amount },
  { type: "fundParticipant", account: 17, assetId: 2, amount: 50_000_000 as Amount },
  order({ clientOrderId: "first", quantityLots: 60 as Lots }),
  order({ account: 17, side: "sell", priceTicks: 12_000 as Ticks }),
  order({ account: 17, side: "sell", priceTicks: 12_900 as Ticks, quantityLots: 30 as Lots }),
  {
    type: "amendOrder",
    account: 17,
    orderId: 3,
    priceTicks: 13_000 as Ticks,
    quantityLots: 20 as Lots,
  },
];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-command-line-"));
  const written = Promise.withResolvers<void>();
  exchange = await openExchange({
    dataDir,
    onEvents: (batch) => events.push(...batch),
    snapshots: { everyCommands: COMMANDS.length, restore: () => undefined },
    log: {
      info(_fields, message) {
        if (message !== "wrote a snapshot") return;
        snapshots += 1;
        written.resolve();
      },
      warn: (fields, message) => written.reject(new Error(message, { cause: fields })),
      error: () => undefined,
    },
  });
  for (const command of COMMANDS) {
    const { rejected } = await exchange.submit(command);
    expect(rejected).toBeUndefined();
  }
  await written.promise;
});

afterAll(async () => {
  await exchange.close();
  rmSync(dataDir, { recursive: true });
});

function openbell(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: "utf8",
    env: { ...process.env, DATA_DIR: dataDir },
  });
  return { status, stdout, stderr };
}

describe("verify", () => {
  test("proves the journal and its snapshots beside the running exchange", async () => {
    const { hash } = await exchange.stateHash();
    const { status, stdout } = openbell("verify");
    expect(stdout).toContain(`state hash  ${hash}`);
    expect(stdout).toContain(`snapshots   ${COMMANDS.length}\n`);
    expect(stdout).toContain("The journal is sound.");
    expect(status).toBe(0);
    expect(snapshots).toBe(1);
  });

  test("names a snapshot that is damaged or holds another state, and fails", async () => {
    const files = new SnapshotFiles(snapshotDirectoryOf(dataDir));
    const path = files.pathOf(COMMANDS.length);
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole);
    damaged[200] ^= 1;
    writeFileSync(path, damaged);
    const { status, stdout } = openbell("verify");
    expect(status).toBe(1);
    expect(stdout).toContain("cannot be used: its checksum is wrong");
    expect(stdout).toContain("NOT SOUND");

    writeFileSync(path, whole);
    const snapshot = files.read(COMMANDS.length);
    await files.write({ ...snapshot, sequence: COMMANDS.length - 1 }, () => undefined);
    expect(openbell("verify").stdout).toContain("holds another state than the journal leads to");
    writeFileSync(path, whole);
    rmSync(files.pathOf(COMMANDS.length - 1), { force: true });
    expect(openbell("verify").status).toBe(0);
  });
});

describe("replay", () => {
  test("shows a book as it was at a sequence", () => {
    const before = openbell("replay", "--to", "9", "--market", "AAA-USD");
    expect(before.stdout).toContain("buy   123.45  0.00600000  1      16       first\n");
    expect(before.stdout).not.toContain("sell");
    const now = openbell("replay", "--market", "AAA-USD");
    expect(now.stdout).toContain("sell  130.00  0.00200000  3      17\n");
    expect(now.stdout).toContain("buy   123.45  0.00400000  1      16       first\n");
  });

  test("shows what an account had and wanted", () => {
    const { stdout } = openbell("replay", "--to", "9", "--account", "ada");
    expect(stdout).toContain("account 16, person ada, plan free");
    expect(stdout).toContain("USD   9.259300   0.740700\n");
    const now = openbell("replay", "--account", "16");
    // 20 lots bought for 0.2469 USD; the maker's fee of 0.5 % is in what was bought.
    expect(now.stdout).toContain("AAA   0.00199000  0.00000000\n");
    expect(now.stdout).toContain("1      AAA-USD  buy   123.45  0.00400000  first\n");
  });

  test("refuses what did not exist then", () => {
    expect(openbell("replay", "--to", "2", "--market", "AAA-USD")).toMatchObject({
      status: 1,
      stderr: "there was no market AAA-USD at 2\n",
    });
    expect(openbell("replay", "--account", "unknown").stderr).toContain("no account unknown");
    expect(openbell("replay", "--to", "soon").stderr).toContain("--to must be a sequence");
  });
});

describe("export", () => {
  test("writes trades with exact decimals", () => {
    const { stdout } = openbell("export", "--what", "trades", "--format", "csv");
    const traded = events.find(({ type }) => type === "traded");
    const time = new Date(traded?.timestampMs ?? 0).toISOString();
    expect(stdout.split("\r\n")).toEqual([
      "sequence,time,market,tradeId,takerSide,price,quantity,notional,makerOrderId,takerOrderId,makerAccount,takerAccount,makerFee,makerFeeCoin,takerFee,takerFeeCoin",
      `10,${time},AAA-USD,1,sell,123.45,0.00200000,0.246900,1,2,16,17,0.00001000,AAA,0.002469,USD`,
      "",
    ]);
  });

  test("writes orders once each as they stand, open ones last", () => {
    const { stdout } = openbell("export", "--what", "orders", "--format", "jsonl");
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(rows).toMatchObject([
      { orderId: 2, side: "sell", status: "filled", filled: "0.00200000", endedSequence: 10 },
      { orderId: 1, clientOrderId: "first", status: "open", filled: "0.00200000", endedTime: "" },
      { orderId: 3, price: "130.00", quantity: "0.00200000", status: "open" },
    ]);
  });

  test("writes a ledger whose postings add up to every balance", () => {
    const { stdout } = openbell("export", "--what", "ledger", "--format", "jsonl");
    const balances = new Map<string, bigint>();
    const add = (key: string, units: bigint) =>
      balances.set(key, (balances.get(key) ?? 0n) + units);
    for (const line of stdout.trim().split("\n")) {
      const row = JSON.parse(line) as Record<string, string>;
      const units = BigInt(row.amount.replace(".", ""));
      add(`${row.debitAccount} ${row.coin} ${row.debitBalance}`, -units);
      add(`${row.creditAccount} ${row.coin} ${row.creditBalance}`, units);
    }
    expect(Object.fromEntries([...balances].filter(([, units]) => units !== 0n))).toEqual({
      "1 USD available": -10_000_000n,
      "1 AAA available": -50_000_000n,
      "2 USD available": 2469n,
      "2 AAA available": 1000n,
      "16 USD available": 9_259_300n,
      "16 USD held": 493_800n,
      "16 AAA available": 199_000n,
      "17 USD available": 244_431n,
      "17 AAA available": 49_600_000n,
      "17 AAA held": 200_000n,
    });
  });

  test("writes the events of a range, quoted where a CSV needs it", () => {
    const { stdout } = openbell(
      "export",
      "--what",
      "events",
      "--format",
      "csv",
      "--from",
      "2",
      "--to",
      "3",
    );
    const lines = stdout.trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^2,[^,]+,coinListed,"{""assetId"":2,.*""The \\""A\\"", quoted""/);
    expect(lines[2]).toMatch(/^3,[^,]+,marketListed,/);
  });

  test("ends quietly when its reader has seen enough", () => {
    const golden = fileURLToPath(new URL("../golden/format-1", import.meta.url));
    const line = `"${process.execPath}" "${PROGRAM}" export --data "${golden}" --what events | head -1`;
    const { stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
    expect(stdout).toBe("sequence,time,type,event\r\n");
    expect(stderr).toBe("");
  });

  test("says what it can do", () => {
    expect(openbell("export", "--what", "money").stderr).toContain("--what must be one of trades,");
    expect(openbell("help")).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage") });
    expect(openbell("--help")).toMatchObject({ status: 0, stdout: openbell("help").stdout });
    expect(openbell("--version").stdout).toMatch(/^openbell \d+\.\d+\.\d+, Node 26\./);
    for (const unknown of ["sing", "constructor", "__proto__"]) {
      const { status, stderr } = openbell(unknown);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`no command ${unknown}.`)]);
    }
    expect(openbell("verify", "--data", "/nowhere").stderr).toBe(
      "there is no journal in /nowhere\n",
    );
  });
});
