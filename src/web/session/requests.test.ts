import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import type { Connection } from "./connection-state.ts";
import { NotSentError, Requests } from "./requests.ts";

const ORDER = { market: "BTC-USD", side: "buy", type: "market", quantity: "1" } as const;
const SERVER_MS = 1_700_000_000_000.4;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stateOf(kind: Connection["kind"]): Connection {
  return kind === "live" ? { kind } : { kind, sinceMs: 0 };
}

function page(kind: Connection["kind"], serverMs: number | null = SERVER_MS) {
  const mutation = vi.fn(async (): Promise<unknown> => "done");
  const listeners = new Set<() => void>();
  let state = stateOf(kind);
  const requests = new Requests({
    client: { mutation },
    connection: {
      read: () => state,
      serverNowMs: () => serverMs,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const become = (next: Connection["kind"]) => {
    state = stateOf(next);
    for (const listener of listeners) listener();
  };
  return { requests, mutation, become, listeners };
}

test("an order says that it is meant for two seconds of the server's clock", async () => {
  const { requests, mutation } = page("live");
  expect(await requests.send(functions.orders.place, ORDER)).toBe("done");
  const validUntil = 1_700_000_002_000;
  expect(mutation).toHaveBeenCalledWith(functions.orders.place, { ...ORDER, validUntil });
});

test("a page that is still connecting sends what was pressed within its two seconds", async () => {
  const { requests, mutation, become, listeners } = page("connecting");
  const sent = requests.send(functions.orders.place, ORDER);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(mutation).not.toHaveBeenCalled();
  become("live");
  expect(await sent).toBe("done");
  const validUntil = 1_700_000_000_500;
  expect(mutation).toHaveBeenCalledWith(functions.orders.place, { ...ORDER, validUntil });
  expect(listeners.size).toBe(0);
});

test("what was pressed before the page connected is given up after two seconds", async () => {
  const { requests, mutation, become, listeners } = page("connecting");
  const sent = requests.send(functions.orders.place, ORDER);
  const refused = expect(sent).rejects.toThrow(NotSentError);
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  become("live");
  expect(mutation).not.toHaveBeenCalled();
  expect(listeners.size).toBe(0);
});

test("what was pressed before the machine slept is not sent when it wakes", async () => {
  const { requests, mutation, become } = page("connecting");
  const sent = requests.send(functions.orders.place, ORDER);
  const refused = expect(sent).rejects.toThrow(NotSentError);
  await vi.advanceTimersByTimeAsync(100);
  // Timers and the steady clock stand still during this.
  vi.setSystemTime(Date.now() + 8 * 3_600_000);
  become("live");
  await refused;
  expect(mutation).not.toHaveBeenCalled();
});

test.each(["stale", "offline", "reconnecting"] as const)(
  "%s: nothing is handed to the client, which would send it later",
  async (kind) => {
    const { requests, mutation } = page(kind);
    await expect(requests.send(functions.orders.place, ORDER)).rejects.toThrow(NotSentError);
    expect(mutation).not.toHaveBeenCalled();
  },
);

test("without the server's time no limit can be told, so nothing is sent", async () => {
  const { requests } = page("live", null);
  await expect(requests.send(functions.orders.place, ORDER)).rejects.toThrow(NotSentError);
});

test("a cancel waits for the connection", async () => {
  const { requests, mutation } = page("offline");
  await requests.sendWhenConnected(functions.orders.cancel, { orderId: "7" });
  expect(mutation).toHaveBeenCalledWith(functions.orders.cancel, { orderId: "7" });
});

test("an answer that is late is said to be uncertain once, and its outcome still comes", async () => {
  const { requests, mutation } = page("live");
  let answer: (value: string) => void = () => undefined;
  mutation.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const onUncertain = vi.fn();
  const sent = requests.send(functions.orders.place, ORDER, onUncertain);
  vi.advanceTimersByTime(2_499);
  expect(onUncertain).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(onUncertain).toHaveBeenCalledOnce();
  answer("placed after all");
  expect(await sent).toBe("placed after all");
});

test("an answer in time leaves nothing uncertain", async () => {
  const { requests } = page("live");
  const onUncertain = vi.fn();
  await requests.send(functions.orders.place, ORDER, onUncertain);
  vi.advanceTimersByTime(60_000);
  expect(onUncertain).not.toHaveBeenCalled();
});
