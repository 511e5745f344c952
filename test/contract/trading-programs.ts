/** Programs of users, with keys of their own. */
import { createHmac } from "node:crypto";
import ccxt from "ccxt";
import { ConvexHttpClient } from "convex/browser";
import { functions } from "#contract/functions.ts";
import type { TestExchange, Trader } from "./accounts-exchange.ts";
import { TestBrowser } from "./accounts-server.ts";

type Client = InstanceType<typeof ccxt.binanceus>;

export interface Program {
  readonly trader: Trader;
  readonly client: Client;
  readonly keyId: string;
  readonly apiKey: string;
  readonly secret: string;
}

export async function programOf(
  exchange: TestExchange,
  email: string,
  permissions: ("read" | "trade")[] = ["read", "trade"],
): Promise<Program> {
  const trader = await exchange.trader(email);
  return { trader, ...(await newKey(exchange, trader, permissions)) };
}

/** A client with one more key of the trader's. */
export async function newKey(
  { url }: Pick<TestExchange, "url">,
  trader: Pick<Trader, "http">,
  permissions: ("read" | "trade")[] = ["read", "trade"],
): Promise<Omit<Program, "trader">> {
  const made = await trader.http.action(functions.apiKeys.create, {
    name: "Program",
    kind: "hmac",
    permissions,
  });
  const { apiKey, keyId } = made.key;
  const secret = made.secret ?? "";
  const client = new ccxt.binanceus({
    apiKey,
    secret,
    enableRateLimit: false,
    urls: { api: { public: `${url}/api/v3`, private: `${url}/api/v3`, sapi: `${url}/sapi/v1` } },
  });
  return { client, keyId, apiKey, secret };
}

/** A new user of any exchange, with practice funds and a key. */
export async function newProgram(url: string, email: string): Promise<Omit<Program, "trader">> {
  const browser = new TestBrowser(url);
  await browser.signUp(email);
  const auth = await browser.backendToken();
  const http = new ConvexHttpClient(url, {
    skipConvexDeploymentUrlCheck: true,
    auth,
    logger: false,
  });
  await http.mutation(functions.accounts.takePracticeFunds, {});
  return newKey({ url }, { http });
}

/** A request as a program that was written by hand sends it. */
export async function ask(
  { url }: Pick<TestExchange, "url">,
  { apiKey, secret }: Pick<Program, "apiKey" | "secret">,
  method: string,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
) {
  const timestamp = Date.now().toString();
  const payload = new URLSearchParams({ ...parameters, timestamp }).toString();
  const signature = createHmac("sha256", secret).update(payload).digest("hex");
  const answer = await fetch(`${url}${path}?${payload}&signature=${signature}`, {
    method,
    headers: { "x-mbx-apikey": apiKey },
  });
  const body = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, body };
}
