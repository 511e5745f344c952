import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ApiKeyGrant } from "./key-gate.ts";
import { LISTEN_KEY_MS, ListenKeys } from "./listen-keys.ts";

const grant = (keyId: string): ApiKeyGrant => ({
  keyId,
  userId: "ann",
  account: 16,
  permissions: ["read"],
  kind: "hmac",
});
const [ANN, BOB] = [grant("ann's"), grant("bob's")];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function scene() {
  let stop: (keyId: string) => void = () => undefined;
  const listenKeys = new ListenKeys({
    onStopped(listener) {
      stop = listener;
      return () => true;
    },
  });
  const ended: string[] = [];
  listenKeys.onEnded((listenKey) => ended.push(listenKey));
  return { ended, listenKeys, stop: (keyId: string) => stop(keyId) };
}

test("an API key has one listen key, which an hour ends unless it is extended", () => {
  const { ended, listenKeys } = scene();
  const listenKey = listenKeys.create(ANN);
  expect(listenKeys.find(listenKey)).toBe(ANN);
  vi.advanceTimersByTime(LISTEN_KEY_MS - 1);
  listenKeys.extend(listenKey, ANN);
  vi.advanceTimersByTime(LISTEN_KEY_MS - 1);
  expect(listenKeys.create(ANN)).toBe(listenKey);
  vi.advanceTimersByTime(LISTEN_KEY_MS - 1);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([listenKey]);
  expect(listenKeys.find(listenKey)).toBeUndefined();
  expect(listenKeys.extend(listenKey, ANN)).toBe(false);
  expect(listenKeys.create(ANN)).not.toBe(listenKey);
});

test("a listen key is extended and closed by its own API key alone", () => {
  const { ended, listenKeys } = scene();
  const listenKey = listenKeys.create(ANN);
  expect(listenKeys.extend(listenKey, BOB)).toBe(false);
  expect(listenKeys.close(listenKey, BOB)).toBe(false);
  expect(listenKeys.close(listenKey, ANN)).toBe(true);
  expect(ended).toEqual([listenKey]);
  expect(listenKeys.close(listenKey, ANN)).toBe(false);
});

test("a listen key ends with its API key", () => {
  const { ended, listenKeys, stop } = scene();
  const [first, second] = [listenKeys.create(ANN), listenKeys.create(BOB)];
  stop(ANN.keyId);
  expect(ended).toEqual([first]);
  expect(listenKeys.find(second)).toBe(BOB);
});
