import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  pendingRequests,
  type SentOrder,
  whileChanging,
  whilePlacing,
} from "./pending-requests.ts";

const ORDER = { market: "BTC-USD", side: "buy", price: "100", quantity: "1" } as SentOrder;

function request() {
  return Promise.withResolvers<string>();
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("an order is marked until its request is answered, also by a refusal", async () => {
  const [first, second] = [request(), request()];
  const cancelled = whileChanging(["1", "2"], "cancel", () => first.promise);
  const changed = whileChanging(["2", "3"], "change", () => second.promise);
  expect([...pendingRequests.read().changes]).toEqual([
    ["1", "cancel"],
    ["2", "change"],
    ["3", "change"],
  ]);
  second.reject(new Error("refused"));
  await expect(changed).rejects.toThrow("refused");
  expect([...pendingRequests.read().changes.keys()]).toEqual(["1", "2"]);
  first.resolve("done");
  expect(await cancelled).toBe("done");
  expect(pendingRequests.read().changes.size).toBe(0);
});

test("an order that is sent is listed only if the answer takes its time", async () => {
  const quick = request();
  const placed = whilePlacing([ORDER], () => quick.promise);
  vi.advanceTimersByTime(100);
  quick.resolve("placed");
  await placed;
  vi.advanceTimersByTime(1_000);
  expect(pendingRequests.read().placements).toEqual([]);

  const slow = request();
  let loseTrack: () => void = () => undefined;
  const refused = whilePlacing([ORDER], (onUncertain) => {
    loseTrack = onUncertain;
    return slow.promise;
  });
  vi.advanceTimersByTime(200);
  expect(pendingRequests.read().placements).toMatchObject([
    { orders: [ORDER], isUncertain: false },
  ]);
  loseTrack();
  expect(pendingRequests.read().placements).toMatchObject([{ isUncertain: true }]);
  slow.reject(new Error("refused"));
  await expect(refused).rejects.toThrow("refused");
  expect(pendingRequests.read().placements).toEqual([]);
});
