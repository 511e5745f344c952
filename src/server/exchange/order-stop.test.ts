import { expect, test, vi } from "vitest";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import type { CommandOutcome, Exchange } from "./exchange.ts";
import { OrdersStoppedError } from "./exchange-errors.ts";
import { stoppingOrders } from "./order-stop.ts";

const ORDER = {
  side: "buy",
  type: "limit",
  priceTicks: 1,
  quantityLots: 1,
} as unknown as PlaceOrder;
const GROWING = ["placeOrder", "placeOrderList", "amendOrder", "replaceOrder"] as const;
const OTHERS = [
  "cancelOrder",
  "cancelAllOrders",
  "setCancelTimer",
  "setMarketStatus",
  "setAccountFreeze",
  "openAccount",
  "advanceTime",
] as const;

const commandOf = (type: Command["type"]) => ({ type, account: 1 }) as unknown as Command;

function scene() {
  const outcome: CommandOutcome = { sequence: 1, timestampMs: 1, events: [] };
  const submit = vi.fn<Exchange["submit"]>(() => Promise.resolve(outcome));
  const refusalOf = vi.fn<Exchange["refusalOf"]>(() => Promise.resolve(null));
  let isStopped = true;
  const exchange = stoppingOrders({ submit, refusalOf } as unknown as Exchange, () => isStopped);
  return { exchange, submit, outcome, resume: () => (isStopped = false) };
}

test.each(GROWING)("%s is refused, reaches nothing, and is taken again later", async (type) => {
  const { exchange, submit, outcome, resume } = scene();
  await expect(exchange.submit(commandOf(type))).rejects.toThrow(OrdersStoppedError);
  expect(submit).not.toHaveBeenCalled();
  resume();
  await expect(exchange.submit(commandOf(type), "key")).resolves.toBe(outcome);
  expect(submit).toHaveBeenCalledWith(commandOf(type), "key");
});

test.each(OTHERS)("%s continues", async (type) => {
  const { exchange, outcome } = scene();
  await expect(exchange.submit(commandOf(type))).resolves.toBe(outcome);
});

test("an order is not judged to be acceptable either", async () => {
  const { exchange, resume } = scene();
  await expect(exchange.refusalOf(ORDER)).rejects.toThrow(OrdersStoppedError);
  resume();
  await expect(exchange.refusalOf(ORDER)).resolves.toBeNull();
});
