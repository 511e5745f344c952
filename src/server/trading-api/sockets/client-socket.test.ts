import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { WorkShares } from "../../limits/work-shares.ts";
import { ClientSocket } from "./client-socket.ts";

const closers: (() => unknown)[] = [];
let shares: WorkShares;
beforeEach(() => {
  shares = new WorkShares();
});
afterEach(() => {
  shares.close();
  for (const close of closers.splice(0).toReversed()) close();
});

interface OpenedResources {
  readonly connection: ClientSocket;
  readonly client: Socket;
  /** The server's side. */
  readonly socket: Socket;
  readonly heard: string[];
  readonly held: number[];
  readonly isClosed: () => boolean;
}

/** A connection whose client reads nothing until the test says so. */
async function open(
  nowMs: () => number,
  mayGetMore: () => boolean = () => true,
  address = "192.0.2.1",
): Promise<OpenedResources> {
  const heard: string[] = [];
  const held: number[] = [];
  let isClosed = false;
  const sockets = new WebSocketServer({ noServer: true });
  const server: Server = createServer();
  const opened = new Promise<Pick<OpenedResources, "connection" | "socket">>((resolve) => {
    server.on("upgrade", (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (ws) => {
        const connection = new ClientSocket(ws, socket as Socket, {
          address,
          isOfPage: false,
          rate: { capacity: 1, windowMs: 1_000 },
          holding: { set: (bytes: number) => held.push(bytes), close: () => held.push(0) },
          nowMs,
          client: address,
          shares,
          onSent: () => mayGetMore(),
          onClosed: () => (isClosed = true),
        });
        connection.serve({
          onText: (text) => heard.push(text),
          onClosing: () => heard.push("closing"),
          onShutdown: (event) => heard.push(event),
        });
        resolve({ connection, socket: socket as Socket });
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  closers.push(
    () => client.destroy(),
    () => server.close(),
  );
  client.on("error", () => undefined);
  client.write(
    "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  return { ...(await opened), client, heard, held, isClosed: () => isClosed };
}

const MESSAGE = Buffer.alloc(65_536, "x");

test("a client that reads nothing is told nothing more and is cut off", async () => {
  const { connection, heard, held, isClosed } = await open(() => 0);
  let sent = 0;
  while (heard.length === 0 && sent < 1_000) {
    connection.send(MESSAGE);
    sent++;
    // Lets the system's own buffers fill.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(heard).toEqual(["closing"]);
  expect(Math.max(...held)).toBeLessThan(3 * 1_048_576);
  const { length } = held;
  connection.send(MESSAGE);
  expect(held.length).toBe(length);
  await expect.poll(isClosed, { timeout: 10_000 }).toBe(true);
});

test("a client that answers no ping for a minute is cut off", async () => {
  let nowMs = 0;
  const { connection, isClosed } = await open(() => nowMs);
  nowMs = 80_000;
  connection.keepAlive();
  expect(isClosed()).toBe(false);
  nowMs = 80_001;
  connection.keepAlive();
  await expect.poll(isClosed).toBe(true);
});

/** A frame of text as a client sends it, masked with zeros. */
const textFrame = (text: string) =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

test("a client that sends more than it may is closed with a reason", async () => {
  const { client, heard } = await open(() => 0);
  client.write(textFrame("one"));
  await expect.poll(() => heard).toEqual(["one"]);
  const received: Buffer[] = [];
  client.on("data", (chunk: Buffer) => received.push(chunk));
  client.write(textFrame("two"));
  await expect
    .poll(() => Buffer.concat(received).toString("latin1"))
    .toContain("Too many messages: at most 1 a second.");
  expect(heard[1]).toBe("closing");
  expect(heard).not.toContain("two");
});

test("a client that gets more than it may is closed with a reason", async () => {
  let left = 2;
  const { client, connection, heard } = await open(
    () => 0,
    () => left-- > 0,
  );
  const received: Buffer[] = [];
  client.on("data", (chunk: Buffer) => received.push(chunk));
  for (const text of ["one", "two", "three"]) connection.send(text);
  await expect
    .poll(() => Buffer.concat(received).toString("latin1"))
    .toMatch(/one.*two.*This address gets more messages than it may/s);
  expect(Buffer.concat(received).toString("latin1")).not.toContain("three");
  expect(heard).toEqual(["closing"]);
});

test("what a client has read is held no longer, though nothing more is sent", async () => {
  const { client, connection, held } = await open(() => 0);
  for (let sent = 0; (held.at(-1) ?? 0) === 0 && sent < 1_000; sent++) connection.send(MESSAGE);
  expect(held.at(-1)).toBeGreaterThan(0);
  client.resume();
  await expect.poll(() => held.at(-1), { timeout: 10_000 }).toBe(0);
  expect(connection.isOpen).toBe(true);
});

test("a client at rest is not read from", async () => {
  let nowMs = 0;
  const [one, other] = [await open(() => nowMs), await open(() => nowMs, undefined, "192.0.2.2")];
  // For as long as the test lasts.
  shares.charge("192.0.2.1", 1_000_000);
  one.client.write(textFrame("that wakes"));
  await expect.poll(() => one.heard, { timeout: 10_000 }).toEqual(["that wakes"]);
  nowMs = 10_000;
  one.client.write(textFrame("that waits"));
  other.client.write(textFrame("of another"));
  await expect.poll(() => other.heard, { timeout: 10_000 }).toEqual(["of another"]);
  expect(one.heard).toEqual(["that wakes"]);
});

test("a reason that is too long for a close frame is cut", async () => {
  const { client, connection } = await open(() => 0);
  const received: Buffer[] = [];
  client.on("data", (chunk: Buffer) => received.push(chunk));
  connection.close(1008, "€".repeat(60));
  await expect
    .poll(() => Buffer.concat(received).toString("utf8"), { timeout: 10_000 })
    .toContain("€".repeat(40));
});

test("messages of one turn of the event loop are written together and in order, and none is held for a client that reads", async () => {
  const { client, connection, held, socket } = await open(() => 0);
  const received: Buffer[] = [];
  client.on("data", (chunk: Buffer) => received.push(chunk));
  const isReceived = (pattern: RegExp) =>
    expect.poll(() => pattern.test(Buffer.concat(received).toString("latin1"))).toBe(true);
  connection.send("first");
  connection.send(Buffer.from("second"));
  expect(socket.writableLength).toBeGreaterThan("firstsecond".length);
  await isReceived(/first.*second/s);
  await expect.poll(() => socket.writableLength).toBe(0);
  // More than the batch can hold is sent at once.
  connection.send(Buffer.alloc(20_000, "x"));
  connection.send("last");
  await isReceived(/x{20000}.*last/s);
  expect(socket.writableCorked).toBe(0);
  expect(Math.max(0, ...held)).toBe(0);
});
