import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { parseInChunks } from "./chunked-parsing.ts";

/** Frames of 6 bytes in a chunk, rounded up. */
const PINGS_IN_CHUNK = 1_366;

let server: Server;
let serve: (ws: WebSocket) => void;
let droppedMs: number;

beforeEach(async () => {
  droppedMs = 0;
  const sockets = new WebSocketServer({ noServer: true });
  server = createServer().on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (ws) => {
      parseInChunks(ws, socket as Socket, (ms) => (droppedMs += ms));
      ws.on("error", () => {});
      serve(ws);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => {
  server.close();
});

async function open(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {});
  client.write(
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  await once(client, "data");
  client.resume();
  return client;
}

/** A frame with a mask of zeros. */
function frame(opcode: number, content: string | Buffer = ""): Buffer {
  const payload = Buffer.from(content);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
const frames = (count: number, make: (n: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));

test("after the frame that ended a connection, no more than a chunk is parsed", async () => {
  let pings = 0;
  let ended: WebSocket | undefined;
  serve = (ws) => {
    ended = ws;
    ws.on("ping", () => {
      if (++pings === 100) ws.terminate();
    });
  };
  const client = await open();
  client.write(frames(10_000, () => frame(9)));
  await once(client, "close");
  await expect.poll(() => ended?.readyState).toBe(3);
  expect(pings).toBeLessThanOrEqual(PINGS_IN_CHUNK);
});

test("a paused connection's frames wait, and follow in their order", async () => {
  const received: number[] = [];
  let served: WebSocket | undefined;
  serve = (ws) => {
    served = ws;
    ws.on("message", (data) => {
      received.push(Number((data as Buffer).toString("latin1")));
      if (received.length === 10) ws.pause();
    });
  };
  const client = await open();
  client.write(frames(4_000, (n) => frame(1, String(n))));
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(10);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  const before = received.length;
  expect(before).toBeLessThanOrEqual(PINGS_IN_CHUNK);
  served?.resume();
  await expect.poll(() => received.length).toBe(4_000);
  expect(received).toEqual(Array.from({ length: 4_000 }, (_, n) => n));
  client.write(frame(1, "4000"));
  await expect.poll(() => received.at(-1)).toBe(4_000);
  client.destroy();
});

test("a connection that is closed here still hears of the client's consent, and counts what it drops", async () => {
  let code: number | undefined;
  serve = (ws) => {
    ws.once("message", () => ws.close(1008, "enough"));
    ws.on("close", (given) => (code = given));
  };
  const client = await open();
  client.write(
    Buffer.concat([frames(5_000, () => frame(1, "x")), frame(8, Buffer.from([0x03, 0xe8]))]),
  );
  await expect.poll(() => code).toBe(1_000);
  expect(droppedMs).toBeGreaterThan(0);
});

test("an unread rest is not parsed when a paused connection breaks", async () => {
  let messages = 0;
  let code: number | undefined;
  serve = (ws) => {
    ws.on("message", () => messages++);
    ws.on("close", (given) => (code = given));
    ws.pause();
  };
  const client = await open();
  client.write(frames(9_000, () => frame(1)));
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  client.resetAndDestroy();
  await expect.poll(() => code).toBe(1_006);
  expect(messages).toBe(0);
});

test("what a client sent before it ended its side is parsed to the last frame", async () => {
  let messages = 0;
  serve = (ws) => void ws.on("message", () => messages++);
  const client = await open();
  client.end(frames(4_000, () => frame(1)));
  await once(client, "close");
  await expect.poll(() => messages).toBe(4_000);
});
