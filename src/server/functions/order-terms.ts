/**
 * Converts the terms of an order between requests and answers (decimal strings) and the engine
 * (ticks, lots and units). Missing or contradictory terms and values that are not multiples of the
 * step are refused with the argument's name; the engine validates everything else.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { OrderTerms } from "#engine/order-terms.ts";
import type { OrderArgs } from "#contract/arguments.ts";
import type { MarketView } from "../views/catalogue.ts";
import { parsePrice, parseQuantity, parseQuoteAmount } from "./market-numbers.ts";
import { parseConditions, requireFewParts } from "./order-conditions.ts";
import { invalidArgument } from "./refusals.ts";

/**
 * The engine's terms. With `isPending` the quantity may be omitted: it is then the quantity that
 * the working order receives.
 * @throws FunctionError that names the invalid argument
 */
export function parseTerms(args: OrderArgs, market: MarketView, isPending = false): OrderTerms {
  const isLimit = args.type === "limit";
  const conditions = parseConditions(args, market);
  const common = {
    side: args.side,
    orderType: args.type,
    timeInForce: args.timeInForce ?? defaultTimeInForce(args),
    postOnly: args.postOnly ?? false,
    clientOrderId: args.clientOrderId ?? "",
    ...(Object.keys(conditions).length > 0 && { conditions }),
  } as const;
  const amounts = isLimit
    ? limitAmounts(args, market, isPending)
    : marketAmounts(args, market, isPending);
  requireFewParts(amounts.quantityLots, conditions);
  return { ...common, ...amounts };
}

type Amounts = Pick<OrderTerms, "priceTicks" | "quantityLots" | "quoteAmount">;
const NONE: Amounts = {
  priceTicks: 0 as Ticks,
  quantityLots: 0 as Lots,
  quoteAmount: 0 as Amount,
};

function defaultTimeInForce(args: OrderArgs): OrderTerms["timeInForce"] {
  if (args.type === "market") return "ioc";
  return args.expiresAt === undefined ? "gtc" : "gtd";
}

function limitAmounts(args: OrderArgs, market: MarketView, isPending: boolean): Amounts {
  if (args.quoteAmount !== undefined) {
    throw invalidArgument("quoteAmount", "quoteAmount is for market orders; give a quantity.");
  }
  if (args.price === undefined) {
    throw invalidArgument("price", "price is required for a limit order.");
  }
  if (args.quantity === undefined && !isPending) {
    throw invalidArgument("quantity", "quantity is required for a limit order.");
  }
  const priceTicks = parsePrice(args.price, market);
  const quantityLots = args.quantity === undefined ? 0 : parseQuantity(args.quantity, market);
  return { ...NONE, priceTicks, quantityLots: quantityLots as Lots };
}

function marketAmounts(args: OrderArgs, market: MarketView, isPending: boolean): Amounts {
  if (args.price !== undefined) {
    throw invalidArgument("price", "price is for limit orders; leave it out of a market order.");
  }
  if (args.postOnly === true) {
    throw invalidArgument("postOnly", "postOnly is for limit orders: a market order never waits.");
  }
  if (args.quantity !== undefined && args.quoteAmount !== undefined) {
    throw invalidArgument("quoteAmount", "quoteAmount cannot be combined with quantity.");
  }
  if (args.quantity !== undefined) {
    return { ...NONE, quantityLots: parseQuantity(args.quantity, market) };
  }
  if (args.quoteAmount !== undefined) {
    return { ...NONE, quoteAmount: parseQuoteAmount(args.quoteAmount, market) };
  }
  if (isPending) return NONE;
  throw invalidArgument("quantity", "quantity or quoteAmount is required for a market order.");
}
