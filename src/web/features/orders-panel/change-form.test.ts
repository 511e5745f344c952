import { expect, test } from "vitest";
import type { Market, Order } from "#contract/types.ts";
import { changeFields, changeOf, changeProblem } from "./change-form.ts";

const MARKET = {
  symbol: "BTC-USD",
  base: "BTC",
  quote: "USD",
  tickSize: "0.01",
  lotSize: "0.0001",
  priceDecimals: 2,
  quantityDecimals: 4,
  quoteDecimals: 2,
} as Market;
const LIMIT = {
  orderId: "7",
  market: "BTC-USD",
  side: "buy",
  type: "limit",
  price: "60000.00",
  quantity: "0.5000",
  quoteAmount: null,
  filledQuantity: "0.2000",
} as Order;
const TRAILING = {
  ...LIMIT,
  type: "market",
  price: null,
  quantity: null,
  quoteAmount: "500.125000",
  special: { waitsFor: "trigger", trigger: { type: "trailingStop", trailBps: 250 } },
} as Order;

const fieldsOf = (order: Order) => changeFields(order, MARKET);

function problem(order: Order, name: string, text: string): string | null | undefined {
  const field = fieldsOf(order).find((each) => each.field === name);
  return field && changeProblem(field, text, order, MARKET);
}

test("each field starts with the order's present value", () => {
  expect(fieldsOf(LIMIT).map(({ label, text, unit }) => [label, text, unit])).toEqual([
    ["Price", "60000.00", "USD"],
    ["Quantity", "0.5", "BTC"],
  ]);
  expect(fieldsOf(TRAILING).map(({ label, text, unit }) => [label, text, unit])).toEqual([
    ["Distance", "2.5", "%"],
    ["Total", "500.125", "USD"],
  ]);
});

test.each([
  ["price", "60000.005", "Price must be a multiple of 0.01 USD."],
  ["price", "", "Price is missing."],
  ["price", "60001.", null],
  ["quantity", "0.2", "Quantity must be more than the 0.2 BTC already filled."],
  ["quantity", "0.20001", "Quantity must be a multiple of 0.0001 BTC."],
  ["quantity", ".3", null],
])("the %s %j of a limit order: %s", (name, text, expected) => {
  expect(problem(LIMIT, name, text)).toBe(expected);
});

test("a distance has its bounds, and a total keeps the decimals that it has", () => {
  expect(problem(TRAILING, "trailBps", "100")).toBe("Distance must be between 0.01 % and 99.99 %.");
  expect(problem(TRAILING, "quoteAmount", "500.125")).toBeNull();
  expect(problem(TRAILING, "quoteAmount", "500.1251")).toMatch(/multiple of 0\.001 USD/);
});

test("what was typed becomes numbers, the distance basis points", () => {
  expect(changeOf({ price: "60001.", quantity: ".3", trailBps: "2.75" })).toEqual({
    price: "60001",
    quantity: "0.3",
    trailBps: 275,
  });
});
