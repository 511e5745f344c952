import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import { HeldBytes } from "../../limits/held-bytes.ts";
import { WorkShares } from "../../limits/work-shares.ts";
import { createSocketServer } from "./socket-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server with one path, at which messages are collected and echoed. */
async function serve({ messagesPerSecond = 1_000 } = {}) {
  const heard: string[] = [];
  const shares = new WorkShares();
  const sockets = createSocketServer({
    kindOf: () => ({
      rate: { capacity: 1_000, windowMs: 1_000 },
      open: (socket) => ({
        onText(text) {
          heard.push(text);
          socket.send(text);
        },
        onClosing: () => undefined,
        onShutdown: (event) => socket.send(event),
      }),
    }),
    faults: { namedKey: () => undefined, headers: () => [], isCut: () => false },
    log: pino({ level: "silent" }),
    slots: { all: 100, perAddress: 100 },
    messagesPerSecond,
    shares,
    held: new HeldBytes({ all: 1e9, perClient: 1e9 }),
    nowMs: () => 0,
    timeMs: () => 1_800_000_000_000,
  });
  const server = createServer();
  server.on("upgrade", (request, socket, head) => {
    request.headers[CLIENT_ADDRESS_HEADER] = "192.0.2.1";
    sockets.handleUpgrade(request, socket, head);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(
    () => server.close(),
    () => sockets.close(),
    () => shares.close(),
  );
  return { heard, port: (server.address() as AddressInfo).port, stop: () => sockets.close() };
}

/** A client of raw frames that has opened its connection. */
async function openClient(port: number, status = "101 Switching Protocols", headers = "") {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  closers.push(() => socket.destroy());
  const received: Buffer[] = [];
  let isClosed = false;
  socket.on("data", (chunk: Buffer) => received.push(chunk));
  socket.on("error", () => undefined);
  socket.on("close", () => (isClosed = true));
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: x\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  const text = () => Buffer.concat(received).toString("latin1");
  await expect.poll(text, { timeout: 10_000 }).toContain(status);
  return { socket, text, isClosed: () => isClosed };
}

const TEXT = 0x1;
const CONTINUATION = 0x0;
const LAST = 0x80;

/** Masked with zeros. */
const frame = (head: number, text: string) =>
  Buffer.concat([Buffer.from([head, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

test("a message in a few chunks is accepted", async () => {
  const { heard, port } = await serve();
  const { socket } = await openClient(port);
  socket.write(frame(TEXT, "a"));
  socket.write(frame(CONTINUATION, "b"));
  socket.write(frame(CONTINUATION | LAST, "c"));
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(["abc"]);
});

test("a message in so many chunks that they take more memory than their bytes ends its connection", async () => {
  const { heard, port } = await serve();
  const { isClosed, socket, text } = await openClient(port);
  const chunks = Array.from({ length: 100 }, () => frame(CONTINUATION, "x"));
  socket.write(Buffer.concat([frame(TEXT, "x"), ...chunks]));
  await expect.poll(text, { timeout: 10_000 }).toContain("\x88\x02\x03\xf0");
  socket.end();
  await expect.poll(isClosed, { timeout: 10_000 }).toBe(true);
  expect(heard).toEqual([]);
});

test("an address that got more than it may is refused other connections for a while", async () => {
  const { port } = await serve({ messagesPerSecond: 10 });
  const { socket, text } = await openClient(port);
  const messages = Array.from({ length: 25 }, () => frame(TEXT | LAST, "x"));
  socket.write(Buffer.concat(messages));
  await expect.poll(text, { timeout: 10_000 }).toContain("This address gets more messages");
  await openClient(port, "503 Service Unavailable");
});

test("what pages get is not taken from what the programs of their address may get", async () => {
  const { port } = await serve({ messagesPerSecond: 10 });
  const origin = "Origin: https://elsewhere.example\r\n";
  const page = await openClient(port, undefined, origin);
  page.socket.write(Buffer.concat(Array.from({ length: 25 }, () => frame(TEXT | LAST, "x"))));
  await expect.poll(page.text, { timeout: 10_000 }).toContain("This address gets more messages");
  await openClient(port, "503 Service Unavailable", origin);
  await openClient(port);
});

test("a client is told that the server stops before its connection is closed", async () => {
  const { port, stop } = await serve();
  const { text } = await openClient(port);
  const stopped = stop();
  await expect
    .poll(text)
    .toMatch(/\{"e":"serverShutdown","E":1800000000000\}[^]*The server is going away\./);
  await stopped;
});
