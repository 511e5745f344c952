import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DelayedMessages } from "./delayed-messages.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const sent: string[] = [];
  const closed: number[] = [];
  let waitingBytes = 0;
  const messages = new DelayedMessages({
    addWaiting: (bytes) => (waitingBytes += bytes),
    close: (code) => closed.push(code),
    send: (data) => sent.push(data.toString()),
  });
  return { closed, messages, sent, waitingBytes: () => waitingBytes };
}

test("messages without delay are sent at once", () => {
  const { messages, sent } = open();
  messages.send("one", 0);
  expect(sent).toEqual(["one"]);
});

test("messages stay in order, whatever each one's delay is", () => {
  const { messages, sent, waitingBytes } = open();
  messages.send("one", 100);
  messages.send("two", 50);
  messages.send("three", 0);
  messages.send("four", 200);
  expect(waitingBytes()).toBe(15);
  vi.advanceTimersByTime(90);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(15);
  expect(sent).toEqual(["one", "two", "three"]);
  expect(waitingBytes()).toBe(4);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual(["one", "two", "three", "four"]);
  messages.send("five", 0);
  expect(sent.at(-1)).toBe("five");
  expect(waitingBytes()).toBe(0);
});

test("nothing is sent once they are cleared", () => {
  const { messages, sent, waitingBytes } = open();
  messages.send("one", 100);
  messages.clear();
  messages.clear();
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
  expect(waitingBytes()).toBe(0);
});

test("a connection for which too much waits is closed", () => {
  const { closed, messages, sent, waitingBytes } = open();
  const message = Buffer.alloc(1_048_576);
  messages.send(message, 100);
  messages.send(message, 100);
  expect(closed).toEqual([]);
  messages.send("x", 100);
  expect(closed).toEqual([1008]);
  expect(waitingBytes()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
});
