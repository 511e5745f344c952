/** Orders that must be refused: the behaviour's name, what is sent, and the refusal's code and field. */
import { RawJson } from "./bad-input-clients.ts";

export type CallKind = "query" | "mutation" | "action";

export interface BadCall {
  readonly behaviour: string;
  readonly kind: CallKind;
  readonly path: string;
  readonly args: unknown;
  readonly code: string;
  readonly field?: string;
}

/** Rests far below the market. */
export const GOOD_ORDER = {
  market: "BTC-USD",
  side: "buy",
  type: "limit",
  price: "20000.00",
  quantity: "0.0100",
} as const;

const { price: _price, quantity: _quantity, ...SIZELESS } = GOOD_ORDER;
const MARKET_ORDER = { ...SIZELESS, type: "market" } as const;

/** Just within what a query's arguments may have. */
export const LONG_TEXT = "x".repeat(8_000);
/** No names of markets. */
export const WITHOUT_MEANING = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "BTC-USD ",
  "btc-usd",
  "ＢＴＣ-USD",
  "../BTC-USD",
  "'; drop table orders --",
];
/** Text with a null character, which PostgreSQL cannot store: refused before anything reads it. */
export const WITH_NULL_CHARACTER = "BTC-USD\u0000";
/** No decimal numbers, however much they look like some. */
const NO_NUMBERS = [
  "1e3",
  "1E3",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "+1",
  "1_000",
  "1,000",
  " 1",
  "1\n",
  "1.",
  ".5",
  "1.2.3",
  "--1",
  "",
  "١٢٣",
  "２００",
  "½",
  "∞",
  "true",
  "null",
];
/** Of a type that stands for no text, as JSON. */
export const NO_TEXTS = [
  "1",
  "0.1",
  "-1",
  "1e400",
  "true",
  "null",
  "[]",
  '["1"]',
  "{}",
  '{"length":1}',
  '{"$integer":"AQAAAAAAAAA="}',
  '{"$float":"AAAAAAAA+H8="}',
  '{"$bytes":"AAAA"}',
  `${"[".repeat(60)}${"]".repeat(60)}`,
];

/** Short enough for the name of a test. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 27)}…` : text);
}

function placing(behaviour: string, args: unknown, code: string, field?: string): BadCall {
  return { behaviour, kind: "mutation", path: "orders:place", args, code, field };
}

/** The good order with one field as raw JSON. */
function withRaw(field: string, json: string): RawJson {
  const { [field]: _replaced, ...others } = GOOD_ORDER as Record<string, string>;
  return new RawJson(`{${JSON.stringify(field)}:${json},${JSON.stringify(others).slice(1)}`);
}

export const BAD_ORDERS: readonly BadCall[] = [
  ...["market", "side", "type", "price", "quantity", "clientOrderId", "timeInForce"].flatMap(
    (field) =>
      NO_TEXTS.map((json) =>
        placing(`${field} as ${shown(json)}`, withRaw(field, json), "invalidArgument", field),
      ),
  ),
  ...["1", '"true"', '"false"', "null", "{}"].map((json) =>
    placing(`postOnly as ${json}`, withRaw("postOnly", json), "invalidArgument", "postOnly"),
  ),
  ...["market", "side", "type", "price", "quantity"].map((field) => {
    const { [field]: _left, ...rest } = GOOD_ORDER as Record<string, string>;
    return placing(`no ${field}`, rest, "invalidArgument", field);
  }),
  ...["market", "side", "type", "price", "quantity", "clientOrderId", "timeInForce"].map((field) =>
    placing(
      `${field} of 10,000 characters`,
      { ...GOOD_ORDER, [field]: LONG_TEXT },
      "invalidArgument",
      field,
    ),
  ),
  ...[
    "account",
    "userId",
    "user",
    "fee",
    "feeBps",
    "available",
    "idempotencyKey",
    "constructor",
    "toString",
    "",
    "x".repeat(1_000),
  ].map((field) =>
    placing(
      `the extra field ${shown(field)}`,
      { ...GOOD_ORDER, [field]: "1" },
      "invalidArgument",
      field.slice(0, 60),
    ),
  ),
  ...WITHOUT_MEANING.map((market) =>
    placing(`the market ${shown(market)}`, { ...GOOD_ORDER, market }, "unknownMarket", "market"),
  ),
  ...["market", "price", "quantity", "clientOrderId"].map((field) =>
    placing(
      `a null character in ${field}`,
      { ...GOOD_ORDER, [field]: WITH_NULL_CHARACTER },
      "invalidArgument",
      field,
    ),
  ),
  ...NO_NUMBERS.flatMap((text) => {
    const isEmpty = text === "";
    return [
      placing(
        `price ${shown(text)}`,
        { ...GOOD_ORDER, price: text },
        isEmpty ? "invalidArgument" : "invalidPrice",
        "price",
      ),
      placing(
        `quantity ${shown(text)}`,
        { ...GOOD_ORDER, quantity: text },
        isEmpty ? "invalidArgument" : "invalidQuantity",
        "quantity",
      ),
      placing(
        `quoteAmount ${shown(text)}`,
        { ...MARKET_ORDER, quoteAmount: text },
        isEmpty ? "invalidArgument" : "invalidAmount",
        "quoteAmount",
      ),
    ];
  }),
  ...[
    "0",
    "0.00",
    "-0",
    "-1",
    "-20000.00",
    "0.001",
    "20000.001",
    "9".repeat(60),
    "90071992547409.92",
  ].map((price) =>
    placing(`price ${shown(price)}`, { ...GOOD_ORDER, price }, "invalidPrice", "price"),
  ),
  ...["0", "-0.0000", "-0.01", "0.00001", "0.01001", "9".repeat(60), "900719925474.0992"].map(
    (quantity) =>
      placing(
        `quantity ${shown(quantity)}`,
        { ...GOOD_ORDER, quantity },
        "invalidQuantity",
        "quantity",
      ),
  ),
  ...["0", "-100", "0.0000001", "9".repeat(60), "9007199254.740992"].map((quoteAmount) =>
    placing(
      `quoteAmount ${shown(quoteAmount)}`,
      { ...MARKET_ORDER, quoteAmount },
      "invalidAmount",
      "quoteAmount",
    ),
  ),
  placing(
    "price of 61 digits",
    { ...GOOD_ORDER, price: "1".repeat(61) },
    "invalidArgument",
    "price",
  ),
  placing(
    "a quantity below the minimum value",
    { ...GOOD_ORDER, price: "0.01", quantity: "0.0100" },
    "notionalTooSmall",
    "quantity",
  ),
  placing(
    "a quantity above the maximum",
    { ...GOOD_ORDER, quantity: "100000" },
    "quantityTooLarge",
    "quantity",
  ),
  placing(
    "a value beyond exact numbers",
    { ...GOOD_ORDER, price: "90000000000000" },
    "notionalTooLarge",
    "quantity",
  ),
  placing(
    "more than there is to spend",
    { ...GOOD_ORDER, quantity: "50" },
    "insufficientAvailable",
    "quantity",
  ),
  placing(
    "more than there is to sell",
    { ...GOOD_ORDER, side: "sell", price: "90000.00", quantity: "11" },
    "insufficientAvailable",
    "quantity",
  ),
  placing(
    "a quoteAmount below the minimum value",
    { ...MARKET_ORDER, quoteAmount: "0.000001" },
    "notionalTooSmall",
    "quoteAmount",
  ),
  placing(
    "a quoteAmount above the balance",
    { ...MARKET_ORDER, quoteAmount: "999999.99" },
    "insufficientAvailable",
    "quoteAmount",
  ),
  placing(
    "a quoteAmount above what the plan allows",
    { ...MARKET_ORDER, quoteAmount: "9007199254.740991" },
    "notionalTooLarge",
    "quoteAmount",
  ),
  placing(
    "a market order above the maximum",
    { ...MARKET_ORDER, quantity: "100000" },
    "quantityTooLarge",
    "quantity",
  ),
  placing(
    "a market order with a price",
    { ...MARKET_ORDER, quantity: "1", price: "1" },
    "invalidArgument",
    "price",
  ),
  placing(
    "a market order with two sizes",
    { ...MARKET_ORDER, quantity: "1", quoteAmount: "1" },
    "invalidArgument",
    "quoteAmount",
  ),
  placing("a market order with no size", MARKET_ORDER, "invalidArgument", "quantity"),
  placing(
    "a market order that waits",
    { ...MARKET_ORDER, quantity: "0.01", timeInForce: "gtc" },
    "invalidTimeInForce",
    "timeInForce",
  ),
  placing(
    "a market order that is post-only",
    { ...MARKET_ORDER, quantity: "0.01", postOnly: true },
    "invalidArgument",
    "postOnly",
  ),
  placing(
    "a limit order by quoteAmount",
    { ...GOOD_ORDER, quoteAmount: "1" },
    "invalidArgument",
    "quoteAmount",
  ),
  placing(
    "a post-only order that is immediate",
    { ...GOOD_ORDER, postOnly: true, timeInForce: "ioc" },
    "invalidTimeInForce",
    "timeInForce",
  ),
  placing(
    "a post-only order that would trade",
    { ...GOOD_ORDER, price: "66000.00", postOnly: true },
    "wouldCross",
    "price",
  ),
  placing(
    "a fill-or-kill order that cannot fill",
    { ...GOOD_ORDER, timeInForce: "fok" },
    "wouldNotFill",
    "timeInForce",
  ),
  ...["GTC", "day", "__proto__", ""].map((timeInForce) =>
    placing(
      `timeInForce ${shown(timeInForce)}`,
      { ...GOOD_ORDER, timeInForce },
      "invalidArgument",
      "timeInForce",
    ),
  ),
  ...["BUY", "both", "constructor", ""].map((side) =>
    placing(`side ${shown(side)}`, { ...GOOD_ORDER, side }, "invalidArgument", "side"),
  ),
  ...["LIMIT", "stop", "valueOf", ""].map((type) =>
    placing(`type ${shown(type)}`, { ...GOOD_ORDER, type }, "invalidArgument", "type"),
  ),
  ...["", "x".repeat(37), "a b", "a\u0000b", "é", "😀", "<script>", "a\r\nb"].map((clientOrderId) =>
    placing(
      `clientOrderId ${shown(clientOrderId)}`,
      { ...GOOD_ORDER, clientOrderId },
      "invalidArgument",
      "clientOrderId",
    ),
  ),
];
