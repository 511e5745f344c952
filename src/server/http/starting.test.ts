import { request as httpRequest, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HeldBytes } from "../limits/held-bytes.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { createSilentLog } from "../log.ts";
import { ClientRequests } from "./client-requests.ts";
import { type Answerer, createEdge, type Edge } from "./edge.ts";
import { createHttpServer } from "./http-server.ts";
import { OwnRequests } from "./own-requests.ts";
import { type StartProgress, whileStarting } from "./starting.ts";

let server: Server;
let url: string;
let progress: StartProgress | undefined;
let edge: Edge;
let opened: PromiseWithResolvers<Answerer>;

beforeEach(async () => {
  progress = undefined;
  opened = Promise.withResolvers();
  server = createHttpServer({ all: 100, perAddress: 100, openedPerAddress: Infinity });
  edge = createEdge(
    {
      log: createSilentLog(),
      publicUrl: "https://exchange.example",
      requests: new ClientRequests(50, new HeldBytes({ all: 1e9, perClient: 1e9 })),
      ownRequests: new OwnRequests(),
      shares: new WorkShares(),
    },
    whileStarting({
      productName: "A <b>",
      progress: () => progress,
      opened: opened.promise,
      callWaitsMs: 50,
    }),
  );
  server.on("request", edge.handleRequest);
  server.on("upgrade", edge.handleUpgrade);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test("a process that starts is alive and not ready, and says how far it is", async () => {
  const live = await fetch(`${url}/api/health/live`);
  expect([live.status, await live.json()]).toEqual([200, { status: "starting" }]);
  progress = { percent: 40, secondsLeft: 7 };
  for (const path of ["/api/health", "/api/health/ready"]) {
    const ready = await fetch(`${url}${path}`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get("retry-after")).toBe("2");
    // In the shape of the running exchange's health.
    expect(await ready.json()).toEqual({
      status: "starting",
      history: { status: "starting" },
      problems: [],
      warnings: [],
      progress,
    });
  }
});

test("a call is answered by the exchange that opens in the meantime", async () => {
  const answer = fetch(`${url}/api/query`, { method: "POST", body: `{"path":"coins:list"}` });
  await new Promise((resolve) => server.once("request", resolve));
  opened.resolve({
    async answer(request, response) {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      response.end(`answers ${body}`);
    },
    upgrade: () => false,
  });
  expect(await (await answer).text()).toBe(`answers {"path":"coins:list"}`);
});

test("a call that waits too long is told to try again", async () => {
  const answer = await fetch(`${url}/api/mutation`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "unavailable" });
  const { port } = new URL(url);
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(
        "GET /api/1.48.0/sync HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      );
    });
    socket.once("data", (bytes) => resolve(bytes.toString()));
  });
  expect(raw).toContain("503 Service Unavailable\r\nRetry-After: 2");
});

test("a refused upgrade leaves nothing open, though its client does not close", async () => {
  const socket = connect({ port: Number(new URL(url).port), allowHalfOpen: true });
  socket.on("data", () => {});
  socket.write(
    "GET /api/1.48.0/sync HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  await new Promise((resolve) => socket.on("end", resolve));
  const connections = () =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
  socket.destroy();
});

test("people see a page that loads itself again", async () => {
  progress = { percent: 40, secondsLeft: 600 };
  const page = await fetch(`${url}/trade?market=BTC-USD`);
  expect(page.status).toBe(503);
  expect(page.headers.get("refresh")).toBe("2");
  const html = await page.text();
  expect(html).toContain("A &lt;b&gt; is starting");
  expect(html).toContain("40 % of its journal is read. About 10 minutes left.");
});

test.each(["/", "/api/health", "/api/mutation"])(
  "browsers are told by %s how far it may go, as by the running exchange",
  async (path) => {
    const { headers } = await fetch(`${url}${path}`);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "strict-transport-security": "max-age=31536000",
    });
  },
);

test("bodies are limited as by the running exchange", async () => {
  const statusOf = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const path = "/api/mutation";
      const call = httpRequest(`${url}${path}`, { method: "POST", headers, agent: false });
      call.on("response", (response) => resolve(response.resume().statusCode));
      call.on("error", reject);
      call.flushHeaders();
    });
  expect(await statusOf({ "content-length": "1048577" })).toBe(413);
  expect(await statusOf({ "transfer-encoding": "chunked" })).toBe(411);
});

test("nothing of it is left once others answer", async () => {
  edge.passTo({
    answer: (_request, response) => void response.end("open"),
    upgrade: () => false,
  });
  expect(await (await fetch(`${url}/api/health`)).text()).toBe("open");
});
