/** A link that is slower than the changes: the client gets the latest state, not a queue of old ones. */
import type { ConvexClient } from "convex/browser";
import { afterEach, expect, test } from "vitest";
import { openSocket, CONNECT, addQuery } from "#test/support/reactive-socket.ts";
import { api, openClient, startServer, until, watch } from "#test/support/reactive-server.ts";
import { startSlowLink } from "#test/support/slow-link.ts";
import { UNANSWERED_BYTES_MAX, UnansweredBytes } from "./unanswered-bytes.ts";

const BYTES_PER_SECOND = 20_000;
/** The messages that arrive in two seconds. */
const TWO_SECONDS_BYTES = 2 * BYTES_PER_SECOND;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start() {
  const server = await startServer();
  closers.push(() => server.close());
  const link = await startSlowLink(server.port, BYTES_PER_SECOND);
  closers.push(() => link.close());
  return { server, host: server.host, link };
}

function open(address: string): ConvexClient {
  const client = openClient(address);
  closers.push(() => client.close());
  return client;
}

test("at 20 KB/s no state waits behind two seconds of others, and the last one arrives", async () => {
  const { host, link } = await start();
  const page = open(link.address);
  host.items = ["0"];
  const list = watch(page, api.lists.items);
  await until(() => list.seen.length === 1);
  // 2 KB each, one with every turn of the event loop: 400 KB in all, which the link carries in 20 seconds.
  const filler = "x".repeat(2_000);
  for (let version = 1; version <= 200; version++) {
    host.items = [String(version), filler];
    host.change("items", "now");
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => list.latest()[0] === "200");
  const most = link.takeQueuedBytesMax();
  expect(most).toBeLessThan(TWO_SECONDS_BYTES);
  // The link is used: a complete state is in flight.
  expect(most).toBeGreaterThan(filler.length);
  expect(list.seen.length).toBeLessThan(50);
});

test("a mutation is answered on a link whose room is taken", async () => {
  const { host, link } = await start();
  const page = open(link.address);
  const list = watch(page, api.lists.items);
  await until(() => list.seen.length === 1);
  host.items = ["x".repeat(4 * UNANSWERED_BYTES_MAX)];
  host.change("items");
  expect(await page.mutation(api.counters.add, { name: "a" })).toBe(1);
});

test("a client that answers no pings gets no further states, and one that does gets them", async () => {
  const { server, host } = await start();
  const clients = await Promise.all([
    openSocket(server, { autoPong: false }),
    openSocket(server, { autoPong: true }),
  ]);
  for (const { socket, send } of clients) {
    closers.push(() => socket.terminate());
    send(CONNECT);
    send(addQuery(1, "lists:items", {}));
  }
  await until(() => clients.every(({ heard }) => heard.length === 1));
  for (let version = 1; version <= 10; version++) {
    host.items = [String(version), "x".repeat(3_000)];
    host.change("items");
    await until(() => clients[1].heard.length === version + 1);
  }
  // The first answer, and as many states as there is room for.
  expect(clients[0].heard.length).toBeLessThan(6);
});

test("pongs that answer no ping are no sign of room", () => {
  const bytes = new UnansweredBytes();
  const pings = Array.from({ length: 6 }, () => bytes.add(2_048)).filter(
    (ping) => ping !== undefined,
  );
  expect([pings.length, bytes.hasRoom]).toEqual([5, false]);
  expect(bytes.onPong(Buffer.from("none"))).toBe(false);
  expect(bytes.onPong(Buffer.alloc(0))).toBe(false);
  expect(bytes.hasRoom).toBe(false);
  expect(bytes.onPong(pings[1])).toBe(true);
  expect(bytes.hasRoom).toBe(true);
  expect(bytes.onPong(pings[0])).toBe(false);
  expect(bytes.onPong(pings[4])).toBe(true);
});

test("a client that has answered every ping is sent fewer of them", () => {
  const bytes = new UnansweredBytes();
  const isPinged = () => bytes.add(2_048) !== undefined;
  expect([isPinged(), isPinged(), isPinged(), isPinged()]).toEqual([false, true, true, true]);
  const newest = bytes.add(2_048);
  if (newest === undefined) throw new Error("there was no ping");
  bytes.onPong(newest);
  expect([isPinged(), isPinged(), isPinged()]).toEqual([false, true, true]);
});

test("of pings that a client never answers only the newest are remembered", () => {
  const bytes = new UnansweredBytes();
  const pings = Array.from({ length: 10_000 }, () => bytes.add(2_048) ?? Buffer.alloc(0));
  expect(bytes.onPong(pings[3])).toBe(true);
  expect(bytes.onPong(pings[3])).toBe(false);
  expect(bytes.hasRoom).toBe(false);
  // The bytes of pings older than 64 are forgotten; the client has at least received those before it.
  expect(bytes.onPong(pings[9_930])).toBe(true);
  expect(bytes.hasRoom).toBe(false);
  expect(bytes.onPong(pings[9_998])).toBe(true);
  expect(bytes.hasRoom).toBe(true);
  expect(bytes.onPong(pings[9_990])).toBe(false);
  expect(bytes.onPong(pings[9_999])).toBe(true);
});
