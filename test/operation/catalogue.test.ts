/** An exchange that begins with a catalogue file, and the operator's commands that change it while it runs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { beginServerProcess, type RunningServer } from "../support/running-server.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";

const PROGRAM = fileURLToPath(new URL("../../scripts/openbell.js", import.meta.url));
const COMMUNITY = "catalogues/community.yaml";

let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "openbell-catalogue-"));
  server = await beginServerProcess({ CATALOGUE: COMMUNITY, AUTH_RATE_LIMIT: "off" });
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

function openbell(...args: string[]) {
  const run = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });
  return { code: run.status, lines: `${run.stdout}${run.stderr}`.trim().split("\n") };
}
const catalogue = (...args: string[]) => openbell("catalogue", ...args, "--data", server.dataDir);

async function marketsOf(): Promise<string[]> {
  const { value } = await call(server.url, "query", "markets:list", {});
  return (value as { symbol: string }[]).map(({ symbol }) => symbol);
}

test("users of a community trade its own token for its own points", async () => {
  expect(await marketsOf()).toEqual(["MEET-PTS"]);
  const [ada, bob] = [await signUp(server.url, "Ada"), await signUp(server.url, "Bob")];
  for (const { token } of [ada, bob]) {
    const funds = await call(server.url, "mutation", "accounts:takePracticeFunds", {}, token);
    expect(funds).toMatchObject({
      status: "success",
      value: [
        { coin: "PTS", amount: "1000.0000" },
        { coin: "MEET", amount: "25.000000" },
      ],
    });
  }
  const order = { market: "MEET-PTS", type: "limit", price: "20.50", quantity: "2" };
  for (const [side, { token }] of [
    ["sell", ada],
    ["buy", bob],
  ] as const) {
    const placed = await call(server.url, "mutation", "orders:place", { ...order, side }, token);
    expect(placed).toMatchObject({ status: "success" });
  }
  const { value } = await call(server.url, "query", "accounts:balances", {}, bob.token);
  // The taker's fee of 0.1 % is taken from what it receives.
  expect(JSON.stringify(value)).toContain('"26.998');
});

test("a change is planned, applied to the running exchange, and there again after a kill", async () => {
  const file = join(folder, "mine.yaml");
  writeFileSync(
    file,
    readFileSync(COMMUNITY, "utf8")
      .replace(
        "plans:",
        "  - { symbol: TEA, name: Tea, kind: token, decimals: 2, shownDecimals: 2 }\n\nplans:",
      )
      .concat(
        '  - { symbol: TEA-PTS, priceStep: "0.01", quantityStep: "1", smallestOrder: "1", largestQuantity: "100" }\n',
      ),
  );
  const planned = catalogue("plan", file);
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.lines).toContain("  market TEA-PTS: new, trading");
  expect(await marketsOf()).toEqual(["MEET-PTS"]);
  expect(catalogue("apply", file)).toEqual({
    code: 0,
    lines: ["Changed:", "  coin TEA: new, Tea", "  market TEA-PTS: new, trading"],
  });
  expect(await marketsOf()).toEqual(["MEET-PTS", "TEA-PTS"]);
  await server.kill();
  expect(existsSync(join(server.dataDir, "control.sock"))).toBe(true);
  await server.restart();
  expect(await marketsOf()).toEqual(["MEET-PTS", "TEA-PTS"]);
  expect(catalogue("apply", file)).toEqual({ code: 0, lines: ["Nothing had to change."] });
  const shown = catalogue("show");
  expect(shown.lines).toContain("  - symbol: TEA-PTS");
});

test("what cannot change is refused with its reason, and the exchange goes on", async () => {
  const file = join(folder, "wrong.yaml");
  writeFileSync(file, readFileSync(COMMUNITY, "utf8").replace("decimals: 4", "decimals: 5"));
  expect(catalogue("apply", file)).toEqual({
    code: 1,
    lines: [
      "Nothing was changed:",
      "  coin PTS: decimals cannot change once it is listed (decimals 4 → 5): balances are counted in it",
    ],
  });
  writeFileSync(file, "coins: 3");
  const refused = catalogue("apply", file);
  expect(refused.code).toBe(1);
  expect(refused.lines).toContain("  plans: is missing.");
  expect(catalogue("show").code).toBe(0);
});

test("only the operating system's user of the exchange reaches it, and no backup takes the door along", () => {
  expect(statSync(join(server.dataDir, "control.sock")).mode & 0o777).toBe(0o700);
  const copy = join(folder, "copy");
  expect(openbell("backup", "--data", server.dataDir, "--to", copy).code).toBe(0);
  expect(existsSync(join(copy, "control.sock"))).toBe(false);
  expect(openbell("catalogue", "show", "--data", copy)).toEqual({
    code: 1,
    lines: [
      `No exchange runs on ${copy}. Start it, wait until it has started, or name its data directory with --data.`,
    ],
  });
});

test("simulated participants are those of the file at each start, and change with no other command", async () => {
  const file = join(folder, "simulated.yaml");
  const whole = parse(readFileSync("catalogues/simulated.yaml", "utf8")) as {
    readonly coins: readonly object[];
    readonly markets: readonly object[];
  };
  const write = (...participants: readonly object[]) => {
    const [coins, markets] = [whole.coins.slice(0, 2), whole.markets.slice(0, 1)];
    writeFileSync(file, stringify({ ...whole, coins, markets, participants }));
  };
  const maker = { name: "maker", style: "marketMaker" };
  write(maker);
  const simulated = await beginServerProcess({ CATALOGUE: file });
  try {
    const ask = (...args: string[]) => openbell(...args, "--data", simulated.dataDir);
    const nothing = { code: 0, lines: ["Nothing had to change."] };
    expect(ask("catalogue", "show").lines).toContain("  - name: maker");
    expect(ask("catalogue", "apply", file)).toEqual(nothing);
    expect(ask("replay", "--account", "simulated:maker").lines.join("\n")).toContain("USD");
    write({ ...maker, sizePercent: 50 }, { name: "crowd", style: "noiseTrader" });
    const refused = ask("catalogue", "apply", file);
    expect(refused.code).toBe(1);
    expect(refused.lines[1]).toContain("participant maker: sizePercent cannot change (100 → 50)");
    expect(refused.lines[2]).toContain("participant crowd: cannot begin while the exchange runs");
    await simulated.kill();
    await simulated.restart();
    expect(ask("catalogue", "apply", file)).toEqual(nothing);
    expect(ask("replay", "--account", "simulated:crowd").lines.join("\n")).toContain("USD");
  } finally {
    await simulated.remove();
  }
});

test("a start with a file that is wrong ends with the reasons and creates nothing", async () => {
  const file = join(folder, "broken.yaml");
  writeFileSync(file, readFileSync(COMMUNITY, "utf8").replace("MEET-PTS", "MEET-EUR"));
  const DATA_DIR = join(folder, "never");
  await expect(beginServerProcess({ CATALOGUE: file, DATA_DIR })).rejects.toThrow(
    /market MEET-EUR: the file has no coin EUR/,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
});
