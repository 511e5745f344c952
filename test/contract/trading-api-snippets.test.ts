/** The settings that the page of API keys hands out run as they are, once the secret is filled in. */
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { PRACTICE_FUNDS } from "./program-ledger.ts";
import { programOf } from "./trading-programs.ts";

// Whole servers and processes: on a busy machine they take their time.
vi.setConfig({ testTimeout: 180_000 });

interface Settings {
  clientSettings(
    client: string,
    facts: { readonly origin: string; readonly apiKey: string; readonly kind: string },
  ): { readonly text: string } | undefined;
}
// Of the pages, which tests of the server know nothing else of.
const PAGE = new URL("../../src/web/features/settings/api-keys/client-settings.ts", import.meta.url)
  .href;

/** A name that must be looked up is that of another venue. */
const LOOPBACK_ONLY = `import dns from "node:dns";
dns.lookup = (name) => { console.error("looked up", name); process.exit(7); };`;

const AFTER: Readonly<Record<string, string>> = {
  binance: "streams.closeAll();\nawait socket.disconnectAll();\n",
};

describeOnSqlite("the settings that the page hands out", (openDatabase) => {
  const start = exchangeStarter(openDatabase);
  let directory = "";
  let settings: Settings;
  beforeAll(async () => {
    settings = (await import(PAGE)) as Settings;
    // Where the clients are found.
    directory = mkdtempSync(join(import.meta.dirname, "../../node_modules/.snippets-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function run(
    client: string,
    { url }: TestExchange,
    key: { readonly apiKey: string; readonly kind: string },
    secret: string,
  ): Promise<string> {
    const made = settings.clientSettings(client, { origin: url, ...key });
    const text = (made?.text ?? "").replace(/"YOUR [A-Z ]+"/, JSON.stringify(secret));
    const path = join(directory, `${client}-${key.kind}.mjs`);
    writeFileSync(path, text + (AFTER[client] ?? ""));
    const preload = `data:text/javascript,${encodeURIComponent(LOOPBACK_ONLY)}`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", preload, path]);
    return stdout;
  }

  const BY_SECRET = ["ccxtJavaScript", "binanceSpot", "binanceConnector", "nodeBinanceApi"];
  test.each([...BY_SECRET, "binance"])("%s reads the balance with a secret", async (client) => {
    const exchange = await start({ PRACTICE_FUNDS });
    const { apiKey, secret } = await programOf(exchange, "ada@example.com");
    expect(await run(client, exchange, { apiKey, kind: "hmac" }, secret)).toContain("100000");
  });

  const BY_PRIVATE_KEY = ["ccxtJavaScript", "binanceSpot", "binanceConnector", "binance"];
  test.each(BY_PRIVATE_KEY)("%s reads the balance with a private key", async (client) => {
    const exchange = await start({ PRACTICE_FUNDS });
    const trader = await exchange.trader("ada@example.com");
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { key } = await trader.http.action(functions.apiKeys.create, {
      name: "Program",
      kind: "ed25519",
      publicKey: publicKey.export({ format: "pem", type: "spki" }),
      permissions: ["read"],
    });
    const pem = privateKey.export({ format: "pem", type: "pkcs8" });
    expect(await run(client, exchange, key, pem)).toContain("100000");
  });
});
