/** Traces of a real server, as a collector receives them, and a collector that does not. */
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { functions } from "#contract/functions.ts";
import { TestBrowser } from "../contract/accounts-server.ts";
import { signed } from "../contract/signed-params.ts";
import { newKey } from "../contract/trading-programs.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { type SmtpStandIn, startSmtpStandIn } from "../support/smtp-stand-in.ts";
import {
  type ReceivedSpan,
  startTraceCollector,
  type TraceCollector,
} from "../support/trace-collector.ts";

const METRICS_TOKEN = "a token of an operator";
const PASSWORD = "correct horse battery";
const STAGES = ["queue", "engine", "journal", "deliver"];
const CONVEX = { skipConvexDeploymentUrlCheck: true, logger: false } as const;

let collector: TraceCollector;
let smtp: SmtpStandIn;
let server: RunningServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "openbell-traces-"));
  [collector, smtp] = await Promise.all([startTraceCollector(), startSmtpStandIn()]);
  server = await startServerProcess({
    SIMULATION: "off",
    AUTH_RATE_LIMIT: "off",
    TRADING_API_WEIGHT: "1000000",
    METRICS_TOKEN,
    SMTP_URL: smtp.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=ours,authorization=Bearer%20secret",
    ...watchingLoads("on"),
  });
});
afterAll(async () => {
  await server?.remove();
  await Promise.all([collector?.close(), smtp?.close()]);
  rmSync(folder, { recursive: true });
});

/** Settings by which a server writes down which of OpenTelemetry's modules it loads. */
function watchingLoads(name: string): Record<string, string> {
  const watch = join(folder, "watch-loads.mjs");
  writeFileSync(
    watch,
    `import { appendFileSync } from "node:fs";
     import { registerHooks } from "node:module";
     registerHooks({
       load(url, context, next) {
         if (url.includes("/@opentelemetry/")) appendFileSync(process.env.LOADS, url + "\\n");
         return next(url, context);
       },
     });`,
  );
  const loads = join(folder, name);
  writeFileSync(loads, "");
  return { LOADS: loads, NODE_OPTIONS: `--import ${watch}` };
}

/** The packages of OpenTelemetry that were loaded. */
function loadedPackages(name: string): string[] {
  const urls = readFileSync(join(folder, name), "utf8");
  return [...new Set(urls.match(/(?<=\/@opentelemetry\/)[^/]+/g))].toSorted();
}

/** A trace that a caller has begun. */
function newCaller(flags = "01") {
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

let users = 0;
async function newTrader() {
  const email = `trader-${++users}@example.com`;
  const browser = new TestBrowser(server.url);
  await browser.signUp(email, { password: PASSWORD });
  const token = await browser.backendToken();
  const http = new ConvexHttpClient(server.url, { ...CONVEX, auth: token });
  await http.mutation(functions.accounts.takePracticeFunds, {});
  return { email, browser, token, http, ...(await newKey(server, { http })) };
}
type Trader = Awaited<ReturnType<typeof newTrader>>;

async function ask(
  { apiKey, secret }: Pick<Trader, "apiKey" | "secret">,
  method: string,
  path: string,
  parameters: Readonly<Record<string, string>>,
  traceparent?: string,
) {
  const timestamp = Date.now().toString();
  const payload = new URLSearchParams({ ...parameters, timestamp }).toString();
  const signature = createHmac("sha256", secret).update(payload).digest("hex");
  return fetch(`${server.url}${path}?${payload}&signature=${signature}`, {
    method,
    headers: { "x-mbx-apikey": apiKey, ...(traceparent !== undefined && { traceparent }) },
  });
}

const ORDER = { symbol: "BTCUSD", side: "BUY", type: "LIMIT", timeInForce: "GTC" };
const order = (price: string) => ({ ...ORDER, price, quantity: "0.01" });

const ended = ({ spans }: TraceCollector, name: string) =>
  spans.find((span) => span.name === name)?.traceId;

/** Expects that each span is the child of the one before, and lies within it. */
function expectNested(spans: readonly ReceivedSpan[], names: readonly string[]): ReceivedSpan[] {
  const chain = names.map((name) => {
    const found = spans.filter((span) => span.name === name);
    expect(found, name).toHaveLength(1);
    return found[0];
  });
  for (const [index, span] of chain.slice(1).entries()) {
    const parent = chain[index];
    expect(span.parentSpanId, span.name).toBe(parent.spanId);
    expect(span.began >= parent.began && span.ended <= parent.ended, span.name).toBe(true);
  }
  return chain;
}

/** Expects the stages of the only command, one after the other, and returns the command. */
function expectStages(spans: readonly ReceivedSpan[]): ReceivedSpan {
  const command = spans.find(({ name }) => name.startsWith("command "));
  if (command === undefined) throw new Error("there is no command");
  const stages = spans.filter(({ parentSpanId }) => parentSpanId === command.spanId);
  expect(stages.map(({ name }) => name)).toEqual(STAGES);
  let atNs = command.began;
  for (const { began, ended } of stages) {
    expect(began >= atNs && ended >= began).toBe(true);
    atNs = ended;
  }
  expect(command.ended >= atNs).toBe(true);
  return command;
}

describe("a collector that accepts", () => {
  test("an order over REST is one trace, under the span of its caller", async () => {
    const trader = await newTrader();
    const caller = newCaller();
    const answer = await ask(trader, "POST", "/api/v3/order", order("20000"), caller.traceparent);
    expect(answer.status).toBe(200);
    const spans = () => collector.spansOf(caller.traceId);
    await expect.poll(() => spans().map(({ name }) => name)).toContain("POST /api/v3/order");
    const chain = ["POST /api/v3/order", "call POST /api/v3/order", "command placeOrder"];
    const [request] = expectNested(spans(), chain);
    expect(request).toMatchObject({
      kind: "server",
      parentSpanId: caller.spanId,
      hasFailed: false,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/v3/order",
        "http.response.status_code": 200,
        "url.scheme": "http",
      },
    });
    const { attributes } = expectStages(spans());
    expect(attributes["openbell.sequence"]).toBeGreaterThan(0);
    expect(collector.headers).toMatchObject({ "x-tenant": "ours", authorization: "Bearer secret" });
  });

  test("an order of the official client is one trace, over HTTP and over WebSockets", async () => {
    const trader = await newTrader();
    const placing = { market: "BTC-USD", side: "buy", type: "limit", quantity: "0.01" } as const;
    const known = new Set(collector.spans.map(({ traceId }) => traceId));
    await trader.http.mutation(functions.orders.place, { ...placing, price: "20001" });
    const live = new ConvexClient(server.url, { ...CONVEX, unsavedChangesWarning: false });
    live.setAuth(() => Promise.resolve(trader.token));
    await live.mutation(functions.orders.place, { ...placing, price: "20002" });
    await live.close();
    const traces = () =>
      collector.spans
        .filter(({ name, traceId }) => name === "command placeOrder" && !known.has(traceId))
        .map(({ traceId }) => collector.spansOf(traceId));
    await expect.poll(() => traces().length).toBe(2);
    const [first, second] = traces();
    const overHttp = ["POST /api/mutation", "mutation orders:place", "command placeOrder"];
    await expect.poll(() => ended(collector, "POST /api/mutation")).toBeDefined();
    expectNested(collector.spansOf(first[0].traceId), overHttp);
    expectStages(first);
    const [root] = expectNested(second, ["mutation orders:place", "command placeOrder"]);
    expect(root).toMatchObject({ kind: "server", parentSpanId: "" });
    expectStages(second);
  });

  test("an order over the WebSocket API is one trace", async () => {
    const trader = await newTrader();
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/ws-api/v3`);
    await once(socket, "open");
    const params = signed(trader, order("20005"));
    socket.send(JSON.stringify({ id: 1, method: "order.place", params }));
    const [message] = (await once(socket, "message")) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ id: 1, status: 200 });
    socket.close();
    const ofCalls = () =>
      collector.spans.filter(
        ({ name, parentSpanId }) => name === "call POST /api/v3/order" && parentSpanId === "",
      );
    await expect.poll(() => ofCalls().length).toBe(1);
    const spans = collector.spansOf(ofCalls()[0].traceId);
    const [root] = expectNested(spans, ["call POST /api/v3/order", "command placeOrder"]);
    expect(root.kind).toBe("server");
    expectStages(spans);
  });

  test("a refusal of the engine says its reason, and is no failure", async () => {
    const trader = await newTrader();
    const caller = newCaller();
    const refused = await ask(
      trader,
      "POST",
      "/api/v3/order",
      { ...order("20000"), quantity: "9" },
      caller.traceparent,
    );
    expect(refused.status).toBe(400);
    const spans = () => collector.spansOf(caller.traceId);
    await expect.poll(() => spans().map(({ name }) => name)).toContain("POST /api/v3/order");
    const command = expectStages(spans());
    expect(command.attributes["openbell.reject_reason"]).toBe("insufficientAvailable");
    expect(spans().filter(({ hasFailed }) => hasFailed)).toEqual([]);
    const call = spans().find(({ name }) => name === "call POST /api/v3/order");
    expect(call?.attributes["openbell.refusal"]).toBe(-2010);
  });

  test("requests that wait for each other keep their own traces", async () => {
    const trader = await newTrader();
    const callers = Array.from({ length: 40 }, () => newCaller());
    const answers = await Promise.all(
      callers.map(({ traceparent }) =>
        ask(trader, "GET", "/api/v3/myTrades", { symbol: "BTCUSD" }, traceparent),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(callers.map(() => 200));
    for (const { traceId } of callers) {
      const names = () => collector.spansOf(traceId).map(({ name }) => name);
      await expect.poll(names).toContain("GET /api/v3/myTrades");
      expect(names().filter((name) => name === "call GET /api/v3/myTrades")).toHaveLength(1);
      expect(names().filter((name) => name.startsWith("history "))).toHaveLength(1);
    }
  });

  test("pipelined requests keep their own traces", async () => {
    const { hostname, port } = new URL(server.url);
    const callers = Array.from({ length: 5 }, () => newCaller());
    const requests = callers.map(
      ({ traceparent }) =>
        `GET /api/v3/time HTTP/1.1\r\nHost: ${hostname}\r\ntraceparent: ${traceparent}\r\n\r\n`,
    );
    const socket = connect(Number(port), hostname);
    socket.write(requests.join(""));
    for (const { traceId } of callers) {
      const spans = () => collector.spansOf(traceId);
      await expect.poll(() => spans().length).toBe(2);
      expectNested(spans(), ["GET /api/v3/time", "call GET /api/v3/time"]);
    }
    socket.destroy();
  });

  test("a sign-in shows its statements, and a mail is a trace of its own", async () => {
    const trader = await newTrader();
    const caller = newCaller();
    const { traceparent } = caller;
    const headers = { origin: server.url, "content-type": "application/json", traceparent };
    const body = JSON.stringify({ email: trader.email, redirectTo: "/" });
    await fetch(`${server.url}/api/auth/request-password-reset`, { method: "POST", headers, body });
    await expect.poll(() => ended(collector, "send mail")).toBeDefined();
    const spans = () => collector.spansOf(caller.traceId);
    await expect.poll(() => spans().map(({ name }) => name)).toContain("POST /api/auth/*");
    const statement = spans().find(({ attributes }) => "db.system.name" in attributes);
    expect(statement).toMatchObject({ kind: "client", attributes: { "db.system.name": "sqlite" } });
    expect(statement?.name).toMatch(/^(SELECT|INSERT|UPDATE|DELETE) \w+$/);
  });

  test("a failure's lines in the log name the trace", async () => {
    const caller = newCaller();
    const { traceparent } = caller;
    const missing = await fetch(`${server.url}/api/nothing`, { headers: { traceparent } });
    expect(missing.status).toBe(404);
    await expect.poll(() => server.output()).toContain(`"trace":"${caller.traceId}"`);
  });

  test("nothing secret, chosen or personal is sent", async () => {
    const trader = await newTrader();
    const { email, browser, token, apiKey, secret } = trader;
    const word = `chosen-${randomBytes(8).toString("hex")}`;
    const cookie = browser.cookieHeader();
    const visits = [
      `/api/auth/reset-password/${word}?callbackURL=%2F`,
      `/?token=${word}`,
      `/${word}`,
      `/api/${word}`,
      `/api/v3/${word}`,
    ];
    const headers = { cookie, traceparent: newCaller().traceparent, tracestate: `a=${word}` };
    for (const path of visits) await fetch(`${server.url}${path}`, { headers, method: "GET" });
    await fetch(`${server.url}/`, { headers, method: "PROPFIND" });
    const live = new ConvexClient(server.url, { ...CONVEX, unsavedChangesWarning: false });
    const unknown = makeFunctionReference<"query">(`${word}:list`);
    await expect(live.query(unknown, { [word]: word })).rejects.toThrow("There is no function");
    await live.close();
    await browser.signIn(email, PASSWORD);
    await ask(trader, "POST", "/api/v3/order", { ...order("20003.5"), newClientOrderId: word });
    const last = newCaller();
    await fetch(`${server.url}/api/v3/time`, { headers: { traceparent: last.traceparent } });
    await expect.poll(() => collector.spansOf(last.traceId).length).toBeGreaterThan(0);
    const sent = collector.texts.join("\n");
    const session = /session_token=([^;]+)/.exec(cookie)?.[1] ?? "no session";
    const secrets = [email, PASSWORD, token, apiKey, secret, word, session, "20003.5", "127.0.0.1"];
    expect(secrets.filter((text) => sent.includes(text))).toEqual([]);
    // Paths of unauthenticated clients become no names.
    const names = new Set(collector.spans.map(({ name }) => name));
    for (const name of ["GET /*", "GET /api/*", "GET /api/v3/*", "HTTP /*", "query unknown"]) {
      expect(names).toContain(name);
    }
  });
});

async function spanCounts() {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  const count = (outcome: string) =>
    Number(
      new RegExp(`^openbell_trace_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(
        text,
      )?.[1],
    );
  return { sent: count("sent"), dropped: count("dropped") };
}

describe("a collector that does not", () => {
  test("what it refuses is counted, and the log says so once", async () => {
    const { sent } = await spanCounts();
    expect(sent).toBeGreaterThan(0);
    collector.mode = "refuse";
    await fetch(`${server.url}/api/v3/time`);
    await expect.poll(async () => (await spanCounts()).dropped).toBeGreaterThan(0);
    collector.mode = "accept";
    expect(server.output().split("spans of traces are dropped")).toHaveLength(2);
  });

  test("orders are answered while it hangs, and what it does not take is dropped", async () => {
    const trader = await newTrader();
    collector.mode = "hang";
    const before = await spanCounts();
    // More spans than wait for it.
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${server.url}/api/v3/time`)));
    }
    const placed = await ask(trader, "POST", "/api/v3/order", order("20004"));
    expect(placed.status).toBe(200);
    expect((await spanCounts()).dropped).toBeGreaterThan(before.dropped);
    await server.stop();
    expect(server.output()).toContain("the last spans of traces were not sent in time");
  });

  test("what was recorded before a stop is sent", async () => {
    collector.mode = "accept";
    await server.restart();
    const caller = newCaller();
    const { traceparent } = caller;
    await fetch(`${server.url}/api/v3/time`, { headers: { traceparent } });
    await server.stop();
    expect(collector.spansOf(caller.traceId).map(({ name }) => name)).toEqual([
      "GET /api/v3/time",
      "call GET /api/v3/time",
    ]);
  });
});

test("without the setting no package of OpenTelemetry is loaded", async () => {
  const quiet = await startServerProcess({ SIMULATION: "off", ...watchingLoads("off") });
  try {
    const { traceparent } = newCaller();
    const answer = await fetch(`${quiet.url}/api/v3/time`, { headers: { traceparent } });
    expect(answer.status).toBe(200);
    await quiet.stop();
  } finally {
    await quiet.remove();
  }
  // Other packages load the interface, which does nothing by itself.
  expect(loadedPackages("off").filter((name) => name !== "api")).toEqual([]);
  expect(loadedPackages("on")).toContain("sdk-trace");
});
