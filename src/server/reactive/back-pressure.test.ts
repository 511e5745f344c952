/** Clients that do not read their messages, or do not finish sending them. */
import { EventEmitter } from "node:events";
import { type Socket, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { HeldBytes } from "../limits/held-bytes.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { PeerSocket } from "./peer-socket.ts";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { MemoryHost, startServer, until } from "#test/support/reactive-server.ts";

const MEGABYTE = 1024 * 1024;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(limits = { all: 128 * MEGABYTE, perClient: 32 * MEGABYTE }) {
  const held = new HeldBytes(limits);
  // Its clock stands still: nothing here is delayed by its own duration.
  const shares = new WorkShares(() => 0);
  const server = await startServer(new MemoryHost(), { held, shares });
  closers.push(() => server.close());
  return { server, held };
}

async function open(...given: Parameters<typeof openSocket>) {
  const client = await openSocket(...given);
  closers.push(async () => client.socket.terminate());
  return client;
}

/** Replaces a query of 1.5 MB by another one. */
const change = (version: number) => ({
  type: "ModifyQuerySet",
  baseVersion: version,
  newVersion: version + 1,
  modifications: [
    ...(version === 0 ? [] : [{ type: "Remove", queryId: version - 1 }]),
    {
      type: "Add",
      queryId: version,
      udfPath: "values:large",
      args: [{ thirds: "250000", version: String(version) }],
    },
  ],
});

test("a client that does not read is worked for no more, and gets everything once it reads", async () => {
  const { server, held } = await start();
  const { socket, heard, send } = await open(server);
  send(CONNECT);
  socket.pause();
  for (let version = 0; version < 60; version++) send(change(version));
  const { evaluations } = server.host;
  await until(() => held.bytes > 0);
  // The time of a task that is postponed: other clients are served while it waits.
  const other = await open(server);
  other.send(CONNECT);
  for (let version = 0; version < 20; version++) other.send(change(version));
  await until(() => other.heard.length === 20);
  expect((evaluations.get("values:large") ?? 0) - 20).toBeLessThan(20);
  expect(held.bytes).toBeLessThan(8 * MEGABYTE);
  socket.resume();
  await until(() => heard.length === 60);
  expect(held.bytes).toBe(0);
});

test("the client that holds more than it may is ended, and no other", async () => {
  const { server, held } = await start({ all: 2 * MEGABYTE, perClient: 2 * MEGABYTE });
  const honest = await open(server);
  honest.send(CONNECT);
  const unread = await open(server);
  unread.send(CONNECT);
  unread.socket.pause();
  // More than the system's buffers can take at once.
  const request = { type: "Action", udfPath: "values:large", args: [{ megabytes: "8" }] };
  for (let requestId = 0; requestId < 4; requestId++) unread.send({ ...request, requestId });
  await until(() => server.reactive.statistics().connections === 1);
  expect(held.bytes).toBe(0);
  honest.send(change(0));
  await until(() => honest.heard.length === 1);
});

test("messages that never come whole are bounded in all", async () => {
  const { server, held } = await start({ all: 8 * MEGABYTE, perClient: 2 * MEGABYTE });
  const clients = await Promise.all(Array.from({ length: 6 }, () => open(server)));
  for (const { socket } of clients) {
    // The first part of a message of two.
    socket.send("x".repeat(600_000), { fin: false });
  }
  await until(() => server.reactive.statistics().connections === 3);
  await until(() => clients.filter(({ closed }) => closed.code !== undefined).length === 3);
  expect(held.bytes).toBeLessThanOrEqual(2 * MEGABYTE);
});

test("a message comes in some parts, and not in thousands of tiny ones", async () => {
  const { server } = await start();
  const { closed, heard, send, socket } = await open(server);
  send(CONNECT);
  const text = JSON.stringify(change(0));
  for (let at = 0; at < text.length; at++) {
    socket.send(text.charAt(at), { fin: at === text.length - 1 });
  }
  await until(() => heard.length === 1);
  for (let part = 0; part < 300; part++) socket.send(" ", { fin: false });
  await until(() => closed.code !== undefined);
  expect(closed).toEqual({ code: 1008, reason: "" });
});

test("each chunk of a message counts for more than its byte until the message is complete", () => {
  const held = new HeldBytes({ all: MEGABYTE, perClient: MEGABYTE });
  const socket = Object.assign(new EventEmitter(), { setTimeout() {} });
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    isPaused: false,
  });
  void new PeerSocket(
    ws as unknown as WebSocket,
    socket as unknown as Socket,
    { clock: () => 0, joinsChunks: true, holding: held.open("ann", () => {}) },
    { onBytes() {}, onText() {}, onBinary() {}, onRoom() {}, onClosed() {} },
  );
  for (let chunk = 0; chunk < 1_000; chunk++) socket.emit("data", Buffer.from("x"));
  expect(held.bytes).toBeGreaterThan(200_000);
  ws.emit("message", Buffer.from("x"), false);
  expect(held.bytes).toBe(0);
});

test("bodies of calls that never come whole are bounded for an address, and other calls are answered", async () => {
  const { server, held } = await start({ all: 8 * MEGABYTE, perClient: MEGABYTE });
  const { port } = new URL(server.address);
  const stalled = Array.from({ length: 40 }, () =>
    connect(Number(port), "127.0.0.1").on("error", () => {}),
  );
  closers.push(async () => stalled.forEach((socket) => socket.destroy()));
  let ended = 0;
  for (const socket of stalled) {
    socket.on("close", () => (ended += 1));
    socket.write(
      "POST /api/mutation HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
        `Content-Length: 65000\r\n\r\n{"path":"lists:append","args":[{"a":"${"x".repeat(60_000)}`,
    );
  }
  // 40 of 60 KB are 2.4 MB.
  await until(() => ended >= 20);
  expect(held.bytes).toBeGreaterThan(0);
  expect(held.bytes).toBeLessThanOrEqual(MEGABYTE);
  const { status } = await fetch(`${server.address}/api/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path: "lists:items", args: {} }),
  });
  expect(status).toBe(200);
});

/** A peer's socket that is driven by hand. */
function fakeSocket(clock: () => number) {
  const socket = Object.assign(new EventEmitter(), {
    timeoutMs: 0,
    setTimeout: (ms: number) => (socket.timeoutMs = ms),
  });
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    CLOSING: 2,
    readyState: 1,
    bufferedAmount: 0,
    isPaused: false,
    sent: 0,
    isTerminated: false,
    send: () => void ws.sent++,
    ping: () => void ws.sent++,
    pause: () => (ws.isPaused = true),
    resume: () => (ws.isPaused = false),
    close: () => (ws.readyState = ws.CLOSING),
    terminate: () => (ws.isTerminated = true),
  });
  const peer = new PeerSocket(
    ws as unknown as WebSocket,
    socket as unknown as Socket,
    {
      clock,
      joinsChunks: true,
      holding: new HeldBytes({ all: MEGABYTE, perClient: MEGABYTE }).open("ann", () => {}),
    },
    { onBytes() {}, onText() {}, onBinary() {}, onRoom() {}, onClosed() {} },
  );
  return { socket, ws, peer };
}

test("a client that keeps sending after the server has closed is cut off", () => {
  const { socket, ws, peer } = fakeSocket(() => 0);
  socket.emit("data", Buffer.alloc(100_000));
  peer.close(1002, "a broken protocol");
  socket.emit("data", Buffer.alloc(60_000));
  expect(ws.isTerminated).toBe(false);
  socket.emit("data", Buffer.alloc(10_000));
  expect(ws.isTerminated).toBe(true);
});

test("a congested client is ended once it takes nothing for a while, and not before", () => {
  let nowMs = 0;
  const { socket, ws, peer } = fakeSocket(() => nowMs);
  ws.bufferedAmount = 300_000;
  peer.send("answer");
  expect([ws.isPaused, socket.timeoutMs]).toEqual([true, 30_000]);
  // It is judged by the bytes that it reads: a ping would wait behind the rest, and count as activity.
  nowMs = 1_000_000;
  peer.keepAlive();
  expect([ws.sent, ws.isTerminated]).toEqual([1, false]);
  ws.bufferedAmount = 0;
  socket.emit("drain");
  expect([ws.isPaused, socket.timeoutMs]).toEqual([false, 0]);
  socket.emit("timeout");
  expect(ws.isTerminated).toBe(false);
  ws.bufferedAmount = 300_000;
  peer.send("answer");
  socket.emit("timeout");
  expect(ws.isTerminated).toBe(true);
});

test.each(["ping", "pong"] as const)(
  "a client that sends nothing but %ss is cut off",
  async (kind) => {
    const { server } = await start();
    const flood = await open(server);
    const other = await open(server);
    other.send(CONNECT);
    for (let sent = 0; sent < 20; sent++) other.socket[kind]();
    for (let sent = 0; sent < 1_000; sent++) flood.socket[kind]();
    await until(() => flood.closed.code !== undefined);
    other.send(addQuery(1, "values:large", { thirds: "1", version: "1" }));
    await until(() => other.heard.length > 0);
    expect(other.closed.code).toBeUndefined();
  },
);
