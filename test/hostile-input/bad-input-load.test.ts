/**
 * What costs its sender little and would cost the server much, or would have it do what no user asked
 * for, against the real server as a process of its own.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, HandMadeSocket, RawJson, sendBytes, signUp } from "./bad-input-clients.ts";
import { GOOD_ORDER } from "./bad-input-orders.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServerProcess({ AUTH_RATE_LIMIT: "off", LOG_LEVEL: "debug" });
});
afterAll(() => server.remove());

function failures(): string[] {
  return server
    .output()
    .split("\n")
    .filter((line) => /"level":(50|60)/.test(line));
}

/** The one query as the JSON text of a message, whose arguments may be what objects cannot hold. */
function adding(version: number, path: string, args: string): string {
  const add = `{"type":"Add","queryId":${version},"udfPath":"${path}","args":[${args}]}`;
  return `{"type":"ModifyQuerySet","baseVersion":${version},"newVersion":${version + 1},"modifications":[${add}]}`;
}

test.each([65, 1_500, 3_000, 5_500, 7_000])(
  "a query nested %i deep is refused, and is no failure of the server",
  async (depth) => {
    const args = `{"market":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const answer = await call(server.url, "query", "markets:book", new RawJson(args));
    expect(answer).toMatchObject({ httpStatus: 400, code: "invalidArgument", field: "args" });
    const socket = await HandMadeSocket.connected(server.url);
    socket.send(adding(0, "markets:book", args));
    const shown = await socket.first(({ type }) => type === "Transition");
    expect(shown.modifications).toMatchObject([
      { type: "QueryFailed", errorData: { code: "invalidArgument", field: "args" } },
    ]);
    await socket.close();
    expect(failures()).toEqual([]);
  },
);

test("one message cannot make the server evaluate ten thousand queries", async () => {
  const pairs = Array.from(
    { length: 8_000 },
    (_, id) =>
      `{"type":"Add","queryId":${id},"udfPath":"coins:list","args":[{}]},{"type":"Remove","queryId":${id}}`,
  );
  const socket = await HandMadeSocket.connected(server.url);
  socket.send(
    `{"type":"ModifyQuerySet","baseVersion":0,"newVersion":1,"modifications":[${pairs.join(",")}]}`,
  );
  await socket.first(({ type }) => type === "FatalError");
  expect(await socket.closed()).toBe(1002);
});

test("one address cannot take all connections", async () => {
  const sockets = await Promise.all(
    Array.from({ length: 300 }, () => HandMadeSocket.open(server.url)),
  );
  await expect
    .poll(() => sockets.filter(({ closedWith }) => closedWith === 1013).length)
    .toBeGreaterThan(0);
  const open = sockets.filter(({ closedWith }) => closedWith === undefined);
  expect(open.length).toBeGreaterThanOrEqual(200);
  await Promise.all(open.map((socket) => socket.close()));
});

test("a body that is cut off is no failure of the server", async () => {
  const head = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
  for (const path of ["/api/query", "/api/auth/sign-in/email"]) {
    await sendBytes(server.url, [`POST ${path} HTTP/1.1\r\n${head}{"path":`], 50);
  }
  const cutOff = (): number => server.output().match(/"cutOff":true/g)?.length ?? 0;
  await expect.poll(cutOff).toBe(2);
  expect(failures()).toEqual([]);
});

const CALLS = [
  ["Mutation", "orders:cancelAll"],
  ["Action", "markets:candles"],
] as const;

test("arguments that cannot be read have a code over a WebSocket too, and are not echoed whole", async () => {
  const { token } = await signUp(server.url, "Args");
  const socket = await HandMadeSocket.connected(server.url);
  socket.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
  for (const [requestId, [type, path]] of CALLS.entries()) {
    const args = { ["x".repeat(10_000)]: 1 };
    const answer = await socket.request(type, requestId, path, args);
    const { result: message } = answer;
    expect(answer.errorData).toEqual({ code: "invalidArgument", field: "args", message });
    expect((message as string).length).toBeLessThan(200);
  }
  await socket.close();
});

test("an extra argument called __proto__ is refused like any other", async () => {
  const { token } = await signUp(server.url, "Proto");
  await call(server.url, "mutation", "accounts:takePracticeFunds", {}, token);
  const args = `{"__proto__":"x",${JSON.stringify(GOOD_ORDER).slice(1)}`;
  const answer = await call(server.url, "mutation", "orders:place", new RawJson(args), token);
  expect(answer).toMatchObject({ httpStatus: 400, code: "invalidArgument", field: "args" });
  const open = await call(server.url, "query", "orders:open", {}, token);
  expect(open).toMatchObject({ status: "success", value: [] });
});

test("a request id that was used for another function is not answered with that one's success", async () => {
  const { token } = await signUp(server.url, "Reuse");
  const mutate = async (path: string, args: object): Promise<unknown> => {
    const socket = await HandMadeSocket.open(server.url);
    socket.send({ type: "Connect", sessionId: "same", connectionCount: 0, lastCloseReason: null });
    socket.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
    const { result } = await socket.request("Mutation", 1, path, args);
    await socket.close();
    return result;
  };
  const cancelled = await mutate("orders:cancelAll", {});
  expect(await mutate("accounts:takePracticeFunds", {})).not.toEqual(cancelled);
  const placed = await mutate("orders:place", GOOD_ORDER);
  expect(placed).toHaveProperty("order");
  expect(await mutate("orders:place", GOOD_ORDER)).toEqual(placed);
  expect(await mutate("orders:place", { ...GOOD_ORDER, price: "19000.00" })).not.toEqual(placed);
});

test("a page that carries a user's token is never kept by a cache", async () => {
  const { cookie } = await signUp(server.url, "Cached");
  for (const path of ["/", "/dashboard"]) {
    const page = await fetch(server.url + path, { headers: { cookie } });
    expect(await page.text()).toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
  }
});

test.each(["//evil.example", "//x", "/\\x", "//evil.example/%2e%2e"])(
  "the address %s leads nowhere else",
  async (path) => {
    const answer = await sendBytes(
      server.url,
      [`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`],
      2_000,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toMatch(/^location:/im);
  },
);

test("the offer of HTTP/2 is answered in HTTP/1.1", async () => {
  const answer = await sendBytes(
    server.url,
    [
      "GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
    ],
    500,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});
