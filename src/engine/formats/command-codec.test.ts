import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "../amount.ts";
import type { Command, PlaceOrder } from "../commands.ts";
import {
  CommandDecoder,
  CommandFormatError,
  decodeCommand,
  encodeCommand,
  encodeCommandInto,
  encodedSizeMax,
} from "./command-codec.ts";

const place: PlaceOrder = {
  type: "placeOrder",
  account: 17,
  marketId: 3,
  side: "sell",
  orderType: "limit",
  timeInForce: "fok",
  postOnly: true,
  priceTicks: 9_007_199_254_740_991 as Ticks,
  quantityLots: 12 as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId: "my:order/1",
};
const { type: _type, account: _account, marketId: _market, ...terms } = place;
const commands: Command[] = [
  place,
  {
    ...place,
    side: "buy",
    orderType: "market",
    timeInForce: "ioc",
    postOnly: false,
    clientOrderId: "",
  },
  { ...place, priceTicks: -1.5 as Ticks, quantityLots: NaN as Lots, timeInForce: "gtc" },
  { type: "cancelOrder", account: 17, orderId: 2 ** 40 },
  { ...place, validUntilMs: 1_700_000_000_000 },
  { ...place, validUntilMs: NaN, clientOrderId: "" },
  { type: "cancelOrder", account: 17, orderId: 5, validUntilMs: 0 },
  { type: "cancelAllOrders", account: 17, marketId: 0, validUntilMs: -1.5 },
  { type: "cancelAllOrders", account: 17, marketId: 3, side: "sell", validUntilMs: 7 },
  { type: "cancelAllOrders", account: 17, marketId: 0 },
  { type: "cancelAllOrders", account: 17, marketId: 3, side: "sell" },
  {
    ...place,
    timeInForce: "gtd",
    postOnly: false,
    conditions: {
      selfTradePrevention: "decrement",
      displayLots: 3 as Lots,
      expiresAtMs: 1_700_000_000_000,
      trigger: { kind: "stop", triggerTicks: 7 as Ticks },
    },
  },
  {
    type: "placeOrderList",
    account: 17,
    marketId: 3,
    kind: "oco",
    orders: [
      { ...terms, clientOrderId: "ä" },
      { ...terms, conditions: { trigger: { kind: "trailingStop", trailBps: 50 } } },
    ],
    clientListId: "mine",
  },
  { type: "amendOrder", account: 17, orderId: 5, priceTicks: 0 as Ticks, quantityLots: 9 as Lots },
  {
    type: "amendOrder",
    account: 17,
    orderId: 5,
    priceTicks: 0 as Ticks,
    quantityLots: 0 as Lots,
    everyKind: true,
    triggerTicks: 7 as Ticks,
    trailBps: 8,
    quoteAmount: 9 as Amount,
  },
  {
    type: "replaceOrder",
    account: 17,
    orderId: 5,
    mode: "allowFailure",
    marketId: 3,
    order: terms,
  },
  { type: "setCancelTimer", account: 17, marketId: 0, delayMs: 1000 },
  { type: "advanceTime" },
  { type: "openAccount", userId: "Zoë", kind: "person" },
  { type: "takePracticeFunds", account: 16, assetId: 1, amount: 5 as Amount },
  {
    type: "takePracticeFunds",
    account: 16,
    assetId: 1,
    amount: 5 as Amount,
    otherCoins: [{ assetId: 2, amount: 7 as Amount }],
  },
];

describe("a command in bytes", () => {
  test.each(commands)("comes back as it was: $type", (command) => {
    for (const key of ["", "key-1", "ключ", "x".repeat(64)]) {
      expect(decodeCommand(encodeCommand(command, key))).toEqual({ command, idempotencyKey: key });
    }
  });

  test("can stand anywhere in a larger buffer, next to others", () => {
    const bytes = new Uint8Array(4096);
    const view = new DataView(bytes.buffer);
    const decoder = new CommandDecoder();
    let offset = 13;
    const places = commands.map((command) => {
      const length = encodeCommandInto(command, "k", bytes, view, offset);
      expect(length).toBeLessThanOrEqual(encodedSizeMax(command, "k"));
      const at = { offset, length };
      offset += length;
      return at;
    });
    commands.forEach((command, index) => {
      const at = places[index];
      expect(decoder.decode(bytes, view, at.offset, at.length)).toEqual(command);
      expect(decoder.idempotencyKey).toBe("k");
    });
  });

  test("of fewer or more bytes than it says is refused", () => {
    for (const command of commands) {
      const bytes = encodeCommand(command, "key");
      for (let length = 0; length < bytes.length; length++) {
        expect(() => decodeCommand(bytes.slice(0, length))).toThrow();
      }
      expect(() => decodeCommand(new Uint8Array([...bytes, 0]))).toThrow(CommandFormatError);
    }
  });

  test("of an unknown version or type is refused, never guessed", () => {
    const bytes = encodeCommand(place, "");
    bytes[0] = 2;
    expect(() => decodeCommand(bytes)).toThrow("unknown command format version 2");
    bytes[0] = 1;
    bytes[1] = 99;
    expect(() => decodeCommand(bytes)).toThrow("unknown command type 99");
  });

  test("keeps its layout, because journals are kept for ever", () => {
    const bytes = encodeCommand({ ...place, priceTicks: 100 as Ticks }, "k");
    expect(Buffer.from(bytes).toString("hex")).toBe(
      "01010119" + // version, placeOrder, key of one byte, flags
        "0000000000003140" + // account 17
        "0000000000000840" + // market 3
        "0000000000005940" + // price 100
        "0000000000002840" + // quantity 12
        "0000000000000000" + // quote amount 0
        "0a00" + // client order id of ten bytes
        "6b" + // the key
        "6d793a6f726465722f31", // the client order id
    );
  });

  test("with a time limit keeps its layout, flagged, behind the fields", () => {
    const place100 = { ...place, priceTicks: 100 as Ticks };
    const without = Buffer.from(encodeCommand(place100, "k")).toString("hex");
    const limited = encodeCommand({ ...place100, validUntilMs: 17 }, "k");
    expect(Buffer.from(limited).toString("hex")).toBe(
      without.replace("01010119", "01010199").replace("0a006b", "0a0000000000000031406b"),
    );
  });

  test("of a plain order stays in its fixed layout, whatever its time in force", () => {
    const inForce = ["gtc", "ioc", "fok", "gtd"] as const;
    const flags = inForce.map((timeInForce) => encodeCommand({ ...place, timeInForce }, "")[3]);
    expect(flags).toEqual([0x11, 0x15, 0x19, 0x1d]);
  });

  test("with a text that could not come back is not written", () => {
    expect(() => encodeCommand(place, "\ud800")).toThrow(RangeError);
    expect(() => encodeCommand(place, "x".repeat(256))).toThrow(RangeError);
  });
});
