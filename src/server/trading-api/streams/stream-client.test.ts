import { expect, test } from "vitest";
import { StreamClient } from "./stream-client.ts";

const NOWHERE = { names: [], isCombined: false };

function scene() {
  const turns: (() => unknown)[] = [];
  const followed: string[] = [];
  const removed: string[] = [];
  const sent: string[] = [];
  const socket = {
    isOpen: true,
    address: "203.0.113.7",
    apiKey: undefined,
    userId: undefined,
    hasReceived: false,
    waitingBytes: 0,
    addWaiting(bytes: number) {
      socket.waitingBytes += bytes;
    },
    close: () => undefined,
    inTurn: <T>(work: () => T | Promise<T>) =>
      new Promise<T>((resolve) => turns.push(() => resolve(work()))),
    send: (text: Buffer | string) => sent.push(text.toString()),
  };
  const streams = {
    add: (name: string) => followed.push(name) > 0,
    remove: () => undefined,
    removeAll: (names: Iterable<string>) => void removed.push(...names),
  };
  const listenKeyStreams = { follow: () => undefined };
  const lab = { trafficOf: () => undefined };
  return {
    client: new StreamClient(socket, { requested: NOWHERE, lab, streams, listenKeyStreams }),
    followed,
    removed,
    sent,
    socket,
    turns,
  };
}

const SUBSCRIBE = JSON.stringify({ method: "SUBSCRIBE", params: ["btcusd@trade"], id: 1 });

test("a request is taken in its client's turn and counted until then", async () => {
  const { client, followed, sent, socket, turns } = scene();
  client.onText(SUBSCRIBE);
  expect(followed).toEqual([]);
  expect(socket.waitingBytes).toBe(SUBSCRIBE.length);
  turns[0]();
  expect(followed).toEqual(["btcusd@trade"]);
  expect(sent).toEqual(['{"result":null,"id":1}']);
  await expect.poll(() => socket.waitingBytes).toBe(0);
});

test("a connection has 1 024 streams and no more", async () => {
  const { client, sent, turns } = scene();
  const subscribe = (from: number, count: number) => {
    const params = Array.from({ length: count }, (_, at) => `stream${from + at}@trade`);
    client.onText(JSON.stringify({ method: "SUBSCRIBE", params, id: from }));
    turns.shift()?.();
  };
  subscribe(0, 1_024);
  subscribe(1_024, 1);
  const unsubscribe = { method: "UNSUBSCRIBE", params: ["stream0@trade"], id: 2_000 };
  client.onText(JSON.stringify(unsubscribe));
  turns.shift()?.();
  subscribe(1_025, 1);
  const answers = sent.map((text) => JSON.parse(text) as { id: number; error?: { code: number } });
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [0, undefined],
    [1_024, 2],
    [2_000, undefined],
    [1_025, undefined],
  ]);
});

test("a connection that closed before its turn listens to nothing", () => {
  const { client, followed, sent, socket, turns } = scene();
  client.onText(SUBSCRIBE);
  socket.isOpen = false;
  client.onClosing();
  turns[0]();
  expect(followed).toEqual([]);
  expect(sent).toEqual([]);
});

test("a connection that closes leaves all its streams, and takes no more of their messages", () => {
  const { client, removed, sent, socket, turns } = scene();
  client.onText(JSON.stringify({ method: "SUBSCRIBE", params: ["a@trade", "b@trade"], id: 1 }));
  turns[0]();
  socket.isOpen = false;
  client.onClosing();
  client.onClosing();
  const [raw, combined] = [Buffer.from("1"), Buffer.from("2")];
  client.take({ name: "a@trade", raw, combined, earlier: 0 });
  expect(removed).toEqual(["a@trade", "b@trade"]);
  expect(sent).toEqual(['{"result":null,"id":1}']);
});

test("what is said before the server stops has a stream's name where messages have one", () => {
  const { client, sent, turns } = scene();
  client.onShutdown('{"e":"serverShutdown"}');
  client.onText(JSON.stringify({ method: "SET_PROPERTY", params: ["combined", true], id: 1 }));
  turns[0]();
  client.onShutdown('{"e":"serverShutdown"}');
  expect([sent[0], sent.at(-1)]).toEqual([
    '{"e":"serverShutdown"}',
    '{"stream":"!serverShutdown","data":{"e":"serverShutdown"}}',
  ]);
});
