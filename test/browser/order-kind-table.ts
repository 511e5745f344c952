/** Every kind of order that the ticket places, with the words that pages use for it. */
import type { Locator } from "playwright-core";
import { plainNumber } from "./people.ts";

type Step = (ticket: Locator) => Promise<void>;

export interface NamedOrder {
  /** Side, size and name, as titles have them. */
  readonly title: string;
  readonly chips?: readonly string[];
  /** What it waits for; absent if it is in the book. */
  readonly wait?: string;
}

export interface Kind {
  readonly name: string;
  /** The question before it is sent; undefined if it is sent at once. */
  readonly question?: string;
  /** Enters everything but the quantity of 0.01 BTC to buy. */
  readonly enter: Step;
  /** What a program sends for the same: the order, or the list's kind and orders. */
  readonly request: object;
  /** The orders that it places, the first one first. */
  readonly orders: readonly [NamedOrder, ...NamedOrder[]];
  /** Changes in an order's dialog, one after another. */
  readonly changes: readonly Change[];
  /** The same by the chart's list of orders. */
  readonly moves: readonly Change[];
}

interface Change {
  /** Which of the orders is amended; the first one if absent. */
  readonly at?: number;
  readonly label: string;
  readonly to: string;
  /** What the dialog says before anything is changed. */
  readonly says?: string;
  /** The order's name then. */
  readonly title: string;
  /** The name then of the order at this place, which is amended with it. */
  readonly also?: { readonly at: number; readonly title: string };
}

const fill = (label: string, text: string) => async (ticket: Locator) =>
  ticket.getByLabel(label, { exact: true }).fill(text);
const choose = (label: string, value: string) => async (ticket: Locator) => {
  await ticket.getByLabel(label, { exact: true }).selectOption(value);
};
const check = (label: string) => async (ticket: Locator) => ticket.getByLabel(label).check();
const press = (name: string) => async (ticket: Locator) =>
  ticket.getByRole("button", { name, exact: true }).click();
const all =
  (...steps: readonly Step[]) =>
  async (ticket: Locator) => {
    for (const step of steps) await step(ticket);
  };

export const WHEN = "More order types";
const ONE = "Place this order?";
const title = (name: string, quantity = "0.01") => `Buy ${quantity} BTC · ${name}`;
const limit = (price: string) => all(press("Limit"), fill("Price", price));
/** The market may have moved before the order reaches it. */
async function raisePrice(ticket: Locator): Promise<void> {
  const price = ticket.getByLabel("Price", { exact: true });
  const ask = Number(plainNumber(await price.inputValue()));
  await price.fill((ask * 1.01).toFixed(2));
}
const triggered = (condition: string, trigger: string, thenAt?: string) =>
  all(
    choose(WHEN, condition),
    fill("Trigger price", trigger),
    ...(thenAt === undefined ? [] : [press("Then at a limit"), fill("Limit price", thenAt)]),
  );
const trailing = (distance: string, thenAt?: string) =>
  all(
    choose(WHEN, "trailingStop"),
    fill("Distance", distance),
    ...(thenAt === undefined ? [] : [press("Then at a limit"), fill("Limit price", thenAt)]),
  );

const atMarket = { side: "buy", type: "market", quantity: "0.01" };
const at30000 = { side: "buy", type: "limit", price: "30000", quantity: "0.01" };
const stopLoss = { side: "sell", type: "market", trigger: { type: "stop", price: "25000" } };

export const KINDS: readonly Kind[] = [
  {
    name: "limit",
    enter: limit("30000"),
    request: at30000,
    orders: [{ title: title("Limit 30,000.00") }],
    changes: [{ label: "Quantity", to: "0.02", title: title("Limit 30,000.00", "0.02") }],
    moves: [{ label: "Price", to: "30003", title: title("Limit 30,003.00", "0.02") }],
  },
  {
    name: "post-only",
    enter: all(limit("30000"), check("Post-only")),
    request: { ...at30000, postOnly: true },
    orders: [{ title: title("Limit 30,000.00"), chips: ["Post-only"] }],
    changes: [{ label: "Price", to: "30002", title: title("Limit 30,002.00") }],
    moves: [{ label: "Price", to: "30003", title: title("Limit 30,003.00") }],
  },
  {
    name: "iceberg with an end",
    enter: all(
      limit("30000"),
      check("Iceberg"),
      fill("Visible quantity", "0.002"),
      choose("Time in force", "gtd"),
    ),
    request: { ...at30000, display: "0.002", expiresAt: Date.now() + 86_400_000 },
    orders: [{ title: title("Limit 30,000.00"), chips: ["Iceberg 0.002", "GTD "] }],
    changes: [{ label: "Price", to: "30001", title: title("Limit 30,001.00") }],
    moves: [{ label: "Price", to: "30003", title: title("Limit 30,003.00") }],
  },
  {
    name: "limit with self-trade prevention",
    enter: all(limit("30000"), choose("Self-trade prevention", "expireBoth")),
    request: { ...at30000, selfTradePrevention: "expireBoth" },
    orders: [{ title: title("Limit 30,000.00"), chips: ["STP expire both"] }],
    changes: [{ label: "Price", to: "30001", title: title("Limit 30,001.00") }],
    moves: [{ label: "Price", to: "30003", title: title("Limit 30,003.00") }],
  },
  {
    name: "stop",
    question: ONE,
    enter: triggered("stop", "90000"),
    request: { ...atMarket, trigger: { type: "stop", price: "90000" } },
    orders: [
      {
        title: title("Stop 90,000.00 → market"),
        wait: "Waits for the price to rise to 90,000.00.",
      },
    ],
    changes: [{ label: "Trigger price", to: "91000", title: title("Stop 91,000.00 → market") }],
    moves: [{ label: "Trigger price", to: "92000", title: title("Stop 92,000.00 → market") }],
  },
  {
    name: "stop-limit",
    question: ONE,
    enter: triggered("stop", "90000", "90100"),
    request: { ...at30000, price: "90100", trigger: { type: "stop", price: "90000" } },
    orders: [
      {
        title: title("Stop 90,000.00 → limit 90,100.00"),
        wait: "Stop-limit · Waits for the price to rise to 90,000.00.",
      },
    ],
    changes: [
      { label: "Limit price", to: "90200", title: title("Stop 90,000.00 → limit 90,200.00") },
    ],
    moves: [
      { label: "Trigger price", to: "90150", title: title("Stop 90,150.00 → limit 90,200.00") },
    ],
  },
  {
    name: "take profit",
    question: ONE,
    enter: triggered("takeProfit", "30000"),
    request: { ...atMarket, trigger: { type: "takeProfit", price: "30000" } },
    orders: [
      {
        title: title("Take profit 30,000.00 → market"),
        wait: "Waits for the price to fall to 30,000.00.",
      },
    ],
    changes: [
      {
        label: "Quantity",
        to: "0.02",
        title: title("Take profit 30,000.00 → market", "0.02"),
      },
    ],
    moves: [
      {
        label: "Trigger price",
        to: "31000",
        title: title("Take profit 31,000.00 → market", "0.02"),
      },
    ],
  },
  {
    name: "take-profit limit",
    question: ONE,
    enter: triggered("takeProfit", "30000", "30100"),
    request: { ...at30000, price: "30100", trigger: { type: "takeProfit", price: "30000" } },
    orders: [
      {
        title: title("Take profit 30,000.00 → limit 30,100.00"),
        wait: "Take-profit limit · Waits for the price to fall to 30,000.00.",
      },
    ],
    changes: [
      {
        label: "Trigger price",
        to: "30500",
        title: title("Take profit 30,500.00 → limit 30,100.00"),
      },
    ],
    moves: [
      {
        label: "Trigger price",
        to: "31000",
        title: title("Take profit 31,000.00 → limit 30,100.00"),
      },
    ],
  },
  {
    name: "trailing stop",
    question: ONE,
    enter: trailing("25"),
    request: { ...atMarket, trigger: { type: "trailingStop", trailBps: 2_500 } },
    orders: [
      {
        title: title("Trailing 25 % → market"),
        wait: "Waits for the price to rise 25 % from its lowest.",
      },
    ],
    changes: [{ label: "Distance", to: "30", title: title("Trailing 30 % → market") }],
    moves: [{ label: "Distance", to: "27.5", title: title("Trailing 27.5 % → market") }],
  },
  {
    name: "trailing stop-limit",
    question: ONE,
    enter: trailing("25", "90000"),
    request: { ...at30000, price: "90000", trigger: { type: "trailingStop", trailBps: 2_500 } },
    orders: [
      {
        title: title("Trailing 25 % → limit 90,000.00"),
        wait: "Trailing stop-limit · Waits for the price to rise 25 % from its lowest.",
      },
    ],
    changes: [
      { label: "Limit price", to: "91000", title: title("Trailing 25 % → limit 91,000.00") },
    ],
    moves: [{ label: "Distance", to: "27.5", title: title("Trailing 27.5 % → limit 91,000.00") }],
  },
  {
    name: "OCO",
    question: "Place these 2 orders?",
    enter: all(choose(WHEN, "oco"), fill("Stop price", "90000"), fill("Limit price", "30000")),
    request: {
      kind: "oco",
      orders: [at30000, { ...atMarket, trigger: { type: "stop", price: "90000" } }],
    },
    orders: [
      { title: title("Limit 30,000.00"), chips: ["OCO"] },
      {
        title: title("Stop 90,000.00 → market"),
        chips: ["OCO"],
        wait: "Waits for the price to rise to 90,000.00.",
      },
    ],
    changes: [
      {
        at: 1,
        label: "Trigger price",
        to: "91000",
        says: `the other is cancelled. The other: ${title("Limit 30,000.00")}.`,
        title: title("Stop 91,000.00 → market"),
      },
      {
        label: "Quantity",
        to: "0.02",
        says: `the other is cancelled. The other: ${title("Stop 91,000.00 → market")}.`,
        title: title("Limit 30,000.00", "0.02"),
        also: { at: 1, title: title("Stop 91,000.00 → market", "0.02") },
      },
    ],
    moves: [
      { label: "Price", to: "30003", title: title("Limit 30,003.00", "0.02") },
      {
        at: 1,
        label: "Trigger price",
        to: "92000",
        title: title("Stop 92,000.00 → market", "0.02"),
      },
    ],
  },
  {
    name: "OTO",
    question: "Place these 2 orders?",
    enter: all(limit("30000"), check("TP/SL"), fill("Stop-loss", "25000")),
    request: { kind: "oto", orders: [at30000, stopLoss] },
    orders: [
      { title: title("Limit 30,000.00"), chips: ["OTO"] },
      {
        title: "Sell BTC · Stop 25,000.00 → market",
        chips: ["OTO"],
        wait: "Waits for its entry order to fill.",
      },
    ],
    changes: [{ label: "Quantity", to: "0.02", title: title("Limit 30,000.00", "0.02") }],
    moves: [
      { label: "Price", to: "30003", title: title("Limit 30,003.00", "0.02") },
      {
        at: 1,
        label: "Trigger price",
        to: "25500",
        title: "Sell BTC · Stop 25,500.00 → market",
      },
    ],
  },
  {
    name: "bracket",
    question: "Place these 3 orders?",
    enter: all(
      limit("30000"),
      check("TP/SL"),
      fill("Take-profit", "40000"),
      fill("Stop-loss", "25000"),
    ),
    request: {
      kind: "otoco",
      orders: [at30000, { side: "sell", type: "limit", price: "40000" }, stopLoss],
    },
    orders: [
      { title: title("Limit 30,000.00"), chips: ["Bracket"] },
      {
        title: "Sell BTC · Limit 40,000.00",
        chips: ["Bracket"],
        wait: "Waits for its entry order to fill.",
      },
      {
        title: "Sell BTC · Stop 25,000.00 → market",
        chips: ["Bracket"],
        wait: "Waits for its entry order to fill.",
      },
    ],
    // Those that wait follow the first order in what it receives, and have prices of their own.
    changes: [
      { label: "Quantity", to: "0.02", title: title("Limit 30,000.00", "0.02") },
      { at: 1, label: "Price", to: "41000", title: "Sell BTC · Limit 41,000.00" },
    ],
    moves: [
      {
        at: 2,
        label: "Trigger price",
        to: "25500",
        title: "Sell BTC · Stop 25,500.00 → market",
      },
      { label: "Price", to: "30003", title: title("Limit 30,003.00", "0.02") },
    ],
  },
];

/** Orders that never wait. */
export const IMMEDIATE: readonly {
  readonly name: string;
  /** Enters everything. */
  readonly enter: Step;
  /** What the order history says of it. */
  readonly shown: readonly string[];
  /** Why it is refused, if it is. */
  readonly refused?: RegExp;
}[] = [
  {
    name: "market by quantity",
    enter: all(press("Market"), fill("Quantity", "0.001")),
    shown: ["Market", "0.0010", "Filled"],
  },
  {
    name: "market by total",
    enter: all(press("Market"), fill("Total (estimate)", "123")),
    shown: ["Market", "123.00 USD", "Filled"],
  },
  {
    name: "market with a slippage cap",
    enter: all(press("Market"), choose("Slippage", "300"), fill("Quantity", "0.001")),
    shown: ["Limit", "IOC", "Filled"],
  },
  {
    name: "immediate or cancel",
    enter: all(limit("30000"), choose("Time in force", "ioc"), fill("Quantity", "0.001")),
    shown: ["Limit 30,000.00", "IOC", "What could not trade at once ended.", "Expired"],
  },
  {
    name: "fill or kill",
    enter: all(
      press("Limit"),
      press("Use the ask price"),
      raisePrice,
      choose("Time in force", "fok"),
      fill("Quantity", "0.0001"),
    ),
    shown: ["Limit", "FOK", "Filled"],
  },
  {
    name: "fill or kill that would not fill",
    enter: all(limit("30000"), choose("Time in force", "fok"), fill("Quantity", "0.001")),
    shown: [],
    refused: /fill/,
  },
];

/** "Limit 30,000.00" of "Buy 0.01 BTC · Limit 30,000.00": what tables say beside side and size. */
export function nameIn(orderTitle: string): string {
  return orderTitle.split(" · ")[1] ?? "";
}

/** Why it ends when one of its orders is cancelled. */
export function endOf({ orders }: Kind): string | RegExp {
  return orders.length === 1
    ? "Cancelled by you."
    : /Cancelled by you\.|A linked order traded or ended\./;
}

/** Waits for a row of a table, or an item of a list, that has all of these texts. */
export async function rowWith(
  table: Locator,
  texts: readonly (string | RegExp)[],
  role: "row" | "listitem" = "row",
): Promise<void> {
  let rows = table.getByRole(role);
  for (const text of texts) rows = rows.filter({ hasText: text });
  await rows.first().waitFor();
}
