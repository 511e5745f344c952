import { EventEmitter } from "node:events";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { boundConnections } from "./client-connections.ts";

let server: Server;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const answers: ServerResponse[] = [];
let clockMs = 0;
async function start(all: number, perAddress: number, openedPerAddress = Infinity): Promise<void> {
  answers.length = 0;
  server = createServer((_request, response) => void answers.push(response));
  boundConnections(server, { all, perAddress, openedPerAddress }, () => clockMs);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
}

interface Client {
  readonly socket: Socket;
  readonly isOpen: () => boolean;
  readonly ask: () => Promise<void>;
}

async function client(localAddress = "127.0.0.1"): Promise<Client> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  open.push(socket);
  let isOpen = true;
  socket.on("error", () => {}).on("close", () => (isOpen = false));
  socket.resume();
  const accepted = new Promise<void>((done) => server.once("connection", () => done()));
  await new Promise<void>((done) => socket.once("connect", done));
  await accepted;
  return {
    socket,
    isOpen: () => isOpen,
    async ask() {
      const asked = new Promise<void>((done) => server.once("request", () => done()));
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await asked;
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
}

test.skipIf(process.platform !== "linux")(
  "an address that has all it may loses its oldest idle connection, and no other address does",
  async () => {
    await start(100, 3);
    const other = await client("127.0.0.2");
    const [first, second, third] = [await client(), await client(), await client()];
    await first.ask();
    const fourth = await client();
    await expect.poll(() => second.isOpen()).toBe(false);
    expect([other, first, third, fourth].map(({ isOpen }) => isOpen())).toEqual(
      Array(4).fill(true),
    );
  },
);

test("without an idle one the new connection is refused, and one that becomes idle makes room", async () => {
  await start(100, 2);
  const busy = [await client(), await client()];
  for (const { ask } of busy) await ask();
  const refused = await client();
  await expect.poll(() => refused.isOpen()).toBe(false);
  answers[0].end();
  await expect.poll(() => answers[0].closed).toBe(true);
  const accepted = await client();
  await expect.poll(() => busy[0].isOpen()).toBe(false);
  await settle();
  expect([busy[1].isOpen(), accepted.isOpen()]).toEqual([true, true]);
});

test.skipIf(process.platform !== "linux")(
  "when all places are taken the address with the most connections makes room",
  async () => {
    await start(4, 3);
    const honest = await client("127.0.0.3");
    const flood = [await client(), await client(), await client()];
    const visitor = await client("127.0.0.4");
    await expect.poll(() => flood[0].isOpen()).toBe(false);
    expect([honest, visitor, flood[1], flood[2]].map(({ isOpen }) => isOpen())).toEqual(
      Array(4).fill(true),
    );
  },
);

test("connections that have ended count no more", async () => {
  await start(100, 1);
  for (let n = 0; n < 5; n++) {
    const { socket, ask, isOpen } = await client();
    await ask();
    expect(isOpen()).toBe(true);
    const ended = new Promise((done) => answers.at(-1)?.once("close", done));
    socket.destroy();
    await ended;
    await settle();
  }
});

test.skipIf(process.platform !== "linux")(
  "an address that opens one connection after the other is refused for the rest of ten seconds, and no other address is",
  async () => {
    await start(100, 100, 3);
    for (let opened = 0; opened < 3; opened++) (await client()).socket.destroy();
    const refused = await client();
    await expect.poll(() => refused.isOpen()).toBe(false);
    const other = await client("127.0.0.2");
    await other.ask();
    clockMs += 9_999;
    const stillRefused = await client();
    await expect.poll(() => stillRefused.isOpen()).toBe(false);
    clockMs += 1;
    const later = await client();
    await later.ask();
    expect([other.isOpen(), later.isOpen()]).toEqual([true, true]);
  },
);

test("a site of many networks has a quarter of all connections, idle or not, and another has room", () => {
  const listener = new EventEmitter();
  const bounds = { all: 40, perAddress: 5, openedPerAddress: Infinity };
  boundConnections(listener as Server, bounds);
  const connected = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false });
    const destroy = () => (socket.destroyed = true);
    listener.emit("connection", Object.assign(socket, { destroy }));
    // A slow request that never ends.
    listener.emit("request", { socket }, new EventEmitter());
    return () => !socket.destroyed;
  };
  const flood = Array.from({ length: 40 }, (_, n) => connected(`2001:db8:1:${n}::1`));
  expect(flood.filter((isOpen) => isOpen())).toHaveLength(10);
  expect(connected("2001:db8:2::1")()).toBe(true);
  const other = Array.from({ length: 40 }, () => connected("192.0.2.1"));
  expect(other.filter((isOpen) => isOpen())).toHaveLength(5);
});
