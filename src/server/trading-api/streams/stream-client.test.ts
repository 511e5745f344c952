import { expect, test } from "vitest";
import { StreamClient } from "./stream-client.ts";

const NOWHERE = { names: [], isCombined: false };

function scene() {
  const turns: (() => unknown)[] = [];
  const followed: string[] = [];
  const sent: string[] = [];
  const socket = {
    isOpen: true,
    apiKey: undefined,
    hasSpoken: false,
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
  };
  const lab = { trafficOf: () => undefined };
  return {
    client: new StreamClient(socket, { requested: NOWHERE, lab, streams }),
    followed,
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

test("a connection that closed before its turn listens to nothing", () => {
  const { client, followed, sent, socket, turns } = scene();
  client.onText(SUBSCRIBE);
  socket.isOpen = false;
  client.onClosing();
  turns[0]();
  expect(followed).toEqual([]);
  expect(sent).toEqual([]);
});
