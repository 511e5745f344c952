/** The holders of the server's slots, and how long they keep them. */
import { connect } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { clientKeyOf } from "../limits/client-key.ts";
import { WorkShares } from "../limits/work-shares.ts";
import type { ReactiveServerOptions } from "./reactive-server.ts";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import {
  MemoryHost,
  startServer,
  tokenFor,
  until,
  type TestServer,
} from "#test/support/reactive-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: Partial<ReactiveServerOptions>): Promise<TestServer> {
  const server = await startServer(new MemoryHost(), {
    // In the tests every client states its address.
    clientAddress: ({ headers }) => String(headers["x-from"] ?? "127.0.0.1"),
    ...options,
  });
  closers.push(() => server.close());
  return server;
}

async function open(server: TestServer, from: string) {
  const client = await openSocket(server, { headers: { "x-from": from } });
  closers.push(async () => client.socket.terminate());
  return client;
}

test("a newcomer takes the place of a connection that has never spoken", async () => {
  const server = await start({ connectionsMax: 2 });
  const speaking = await open(server, "192.0.2.1");
  speaking.send(CONNECT);
  speaking.send(addQuery(0, "counters:get", { name: "a" }));
  await until(() => speaking.heard.length === 1);
  const silent = await open(server, "192.0.2.2");
  const newcomer = await open(server, "192.0.2.3");
  newcomer.send(CONNECT);
  newcomer.send(addQuery(0, "counters:get", { name: "a" }));
  await until(() => newcomer.heard.length === 1 && silent.closed.code !== undefined);
  expect(silent.closed.code).toBe(1013);
  expect([speaking.closed.code, newcomer.closed.code]).toEqual([undefined, undefined]);
});

test("a newcomer takes the place of a visitor at the address that has most, not of who is signed in", async () => {
  const server = await start({ connectionsMax: 4 });
  const crowd: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < 4; n++) {
    const client = await open(server, "192.0.2.1");
    crowd.push(client);
    client.send(CONNECT);
    const value = tokenFor("ann");
    if (n === 0) client.send({ type: "Authenticate", tokenType: "User", value, baseVersion: 0 });
    else client.send(addQuery(0, "counters:get", { name: "a" }));
    await until(() => client.heard.length === 1);
  }
  const newcomer = await open(server, "192.0.2.3");
  await until(() => crowd.some(({ closed }) => closed.code !== undefined));
  expect(crowd.map(({ closed }) => closed.code)).toEqual([undefined, 1013, undefined, undefined]);
  expect(newcomer.closed.code).toBeUndefined();
});

test("a connection that never speaks is ended after some seconds", async () => {
  let nowMs = Date.now();
  const server = await start({ connectionsMax: 10, clock: () => nowMs });
  const silent = await open(server, "192.0.2.1");
  const speaking = await open(server, "192.0.2.1");
  speaking.send(CONNECT);
  speaking.send(addQuery(0, "counters:get", { name: "a" }));
  await until(() => speaking.heard.length === 1);
  nowMs += 6_000;
  await until(() => silent.closed.code !== undefined);
  expect(speaking.closed.code).toBeUndefined();
  expect(server.reactive.statistics().connections).toBe(1);
});

/** Requests a connection, reads all messages, and never answers a close frame. */
function askAndStay(server: TestServer, from: string) {
  const socket = connect(server.port, "127.0.0.1");
  closers.push(async () => socket.destroy());
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
  socket.on("error", () => {});
  socket.write(
    `GET /api/1.48.0/sync HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nX-From: ${from}\r\n\r\n`,
  );
  return {
    isClosed: new Promise<void>((closed) => socket.once("close", () => closed())),
    status: () => heard.slice(9, 12),
  };
}

async function startFull(): Promise<TestServer> {
  // By this clock no client uses up its share.
  const server = await start({ connectionsMax: 1, shares: new WorkShares(() => 0) });
  const first = await open(server, "192.0.2.1");
  first.send(CONNECT);
  first.send(addQuery(0, "counters:get", { name: "a" }));
  await until(() => first.heard.length === 1);
  return server;
}

test("who is turned away and does not leave holds a socket for a few seconds only", async () => {
  const { status, isClosed } = askAndStay(await startFull(), "192.0.2.2");
  await isClosed;
  expect(status()).toBe("101");
});

test("beyond a number that are told to come later, newcomers are refused before the handshake", async () => {
  const server = await startFull();
  // All are answered before the first one's time to close is over.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const asking = Array.from({ length: 80 }, () => askAndStay(server, "192.0.2.2"));
  while (asking.some(({ status }) => status() === "")) await new Promise(setImmediate);
  vi.useRealTimers();
  const told = asking.filter(({ status }) => status() === "101").length;
  const refused = asking.filter(({ status }) => status() === "503").length;
  expect([told, refused]).toEqual([64, 16]);
});

test("an address whose share is used up is taken over when it has rested", async () => {
  const shares = new WorkShares();
  const server = await start({ connectionsMax: 10, shares });
  const visitor = clientKeyOf(undefined, "192.0.2.1");
  shares.charge(visitor, 100);
  const opened = open(server, "192.0.2.1");
  await open(server, "192.0.2.2");
  expect(shares.isThrottled(visitor)).toBe(true);
  expect(server.reactive.statistics().connections).toBe(1);
  await opened;
  expect(server.reactive.statistics().connections).toBe(2);
});

test("a server that closes does not wait for clients whose share is used up", async () => {
  const shares = new WorkShares();
  const server = await start({ connectionsMax: 10, shares });
  const longMs = 60_000;
  shares.charge(clientKeyOf(undefined, "192.0.2.1"), longMs);
  const waiting = askAndStay(server, "192.0.2.1");
  await open(server, "192.0.2.2");
  await server.close();
  await until(() => waiting.status() === "503");
  shares.close();
});
