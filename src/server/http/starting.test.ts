import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerWhileStarting, type StartProgress } from "./starting.ts";

let server: Server;
let url: string;
let progress: StartProgress | undefined;
let endStarting: () => void;

beforeEach(async () => {
  progress = undefined;
  server = createServer();
  endStarting = answerWhileStarting(server, {
    productName: "A <b>",
    progress: () => progress,
  });
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
    expect(await ready.json()).toEqual({ status: "starting", progress });
  }
});

test("programs are told to try again", async () => {
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

test("nothing of it is left once others answer", async () => {
  endStarting();
  server.on("request", (_request, response) => response.end("open"));
  expect(await (await fetch(`${url}/api/health`)).text()).toBe("open");
});
