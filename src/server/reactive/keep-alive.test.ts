/** The measures that keep a quiet connection, and that end a dead one. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { MemoryHost, startServer, until } from "#test/support/reactive-server.ts";

const ROUND_MS = 5_000;

let nowMs = 0;
const closers: (() => unknown)[] = [];
beforeEach(() => {
  // Sockets keep their own time; the test controls only the server's rounds.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  nowMs = 1_700_000_000_000;
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  vi.useRealTimers();
});

function pass(rounds: number): void {
  for (let round = 0; round < rounds; round += 1) {
    nowMs += ROUND_MS;
    vi.advanceTimersByTime(ROUND_MS);
  }
}

async function open(options: { autoPong?: boolean } = {}) {
  const server = await startServer(new MemoryHost(), { clock: () => nowMs });
  closers.push(() => server.close());
  const client = await openSocket(server, options);
  closers.push(() => client.socket.terminate());
  let pings = 0;
  client.socket.on("ping", () => (pings += 1));
  client.send(CONNECT);
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [] });
  await until(() => client.heard.length === 1);
  return { ...client, pings: () => pings };
}

test("a client is pinged every 5 s, and told a Ping of the protocol after 15 s without a message", async () => {
  const { heard, pings } = await open();
  pass(2);
  await until(() => pings() === 2);
  expect(heard).toHaveLength(1);
  pass(1);
  await until(() => heard.length === 2);
  expect(heard[1]).toEqual({ type: "Ping" });
  expect(pings()).toBe(3);
});

test("a client that has said nothing for 120 s is dropped, and one that answers pings is not", async () => {
  const silent = await open({ autoPong: false });
  const answering = await open();
  for (let round = 1; round <= 24; round += 1) {
    pass(1);
    await until(() => answering.pings() === round);
    // Its pong is under way.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(silent.closed.code).toBeUndefined();
  pass(1);
  await until(() => silent.closed.code !== undefined);
  expect(silent.closed.code).toBe(1006);
  expect(answering.closed.code).toBeUndefined();
});
