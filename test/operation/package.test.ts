/**
 * The package as an operator gets it: packed, installed by npm into an empty folder from the registry, started there,
 * traded on and stopped.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";
import { isFull } from "../support/run-counts.ts";

const INSTALLED_BYTES_MAX = 300_000_000;
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

test("the changelog begins with what is not released and this version", () => {
  const headings = readFileSync("CHANGELOG.md", "utf8").matchAll(/^## (.*)$/gm);
  const [first, second] = Array.from(headings, ([, heading]) => heading);
  expect([first, second.split(" ")[0]]).toEqual(["Unreleased", version]);
});

// Needs the registry.
test.runIf(isFull)("a package starts from an empty folder, takes an order, and stops", async () => {
  expect(spawnSync("npm", ["run", "--silent", "package"], { stdio: "inherit" }).status).toBe(0);
  const folder = mkdtempSync(join(tmpdir(), "openbell-package-"));
  try {
    writeFileSync(join(folder, "package.json"), "{}");
    const archive = resolve(`dist/openbell-${version}.tgz`);
    const installed = spawnSync("npm", ["install", "--no-audit", archive], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(installed.status, installed.stderr).toBe(0);
    expect(bytesIn(folder)).toBeLessThan(INSTALLED_BYTES_MAX);
    await trade(folder);
    const verified = spawnSync("npx", ["--no", "openbell", "verify"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(verified.stdout).toContain("state hash");
    expect(verified.status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function bytesIn(folder: string): number {
  const files = globSync("**/*", { cwd: folder }).map((path) => lstatSync(join(folder, path)));
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
}

async function trade(folder: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: undefined, NODE_COMPILE_CACHE: undefined, PORT: "0" };
  const exchange = spawn(join(folder, "node_modules/.bin/openbell"), ["start"], {
    cwd: folder,
    env: { ...env, AUTH_RATE_LIMIT: "off" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(exchange, "exit");
  try {
    let said = "";
    exchange.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    const address = () => /is open at (\S+)/.exec(said)?.[1];
    await expect.poll(address, { timeout: 60_000 }).toBeDefined();
    const url = String(address());
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
    const page = await fetch(`${url}/trade`);
    expect(page.status).toBe(200);
    const html = await page.text();
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
    expect((await fetch(`${url}${script}`)).status).toBe(200);
    const { token } = await signUp(url, "Ada");
    await call(url, "mutation", "accounts:takePracticeFunds", {}, token);
    const terms = { market: "BTC-USD", side: "buy", type: "market", quantity: "0.01" };
    const placed = await call(url, "mutation", "orders:place", terms, token);
    expect(placed).toMatchObject({ status: "success", value: { order: { status: "filled" } } });
  } finally {
    exchange.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
}
