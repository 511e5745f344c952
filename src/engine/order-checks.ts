/**
 * What makes an order acceptable in itself: its words and its numbers, before anybody asks who
 * places it, what the book looks like or whether it is affordable. Pure.
 */
import { AMOUNT_MAX } from "./amount.ts";
import type { PlaceOrder } from "./commands.ts";
import type { OrderBook } from "./order-book.ts";
import type { RejectReason } from "./reject-reasons.ts";

const CLIENT_ORDER_ID = /^[A-Za-z0-9._:/-]{1,36}$/;

/** Whether the words of the command are words that the engine knows. */
export function isWellFormed(command: PlaceOrder): boolean {
  const { side, orderType, timeInForce, postOnly, clientOrderId } = command;
  return (
    (side === "buy" || side === "sell") &&
    (orderType === "limit" || orderType === "market") &&
    (timeInForce === "gtc" || timeInForce === "ioc" || timeInForce === "fok") &&
    typeof postOnly === "boolean" &&
    (clientOrderId === "" ||
      (typeof clientOrderId === "string" && CLIENT_ORDER_ID.test(clientOrderId)))
  );
}

/**
 * Why the terms of an order are unacceptable in this market, null where they are acceptable. A limit
 * order that passes has an exact notional; every order by quantity has an exact base amount.
 */
export function refuseTerms(command: PlaceOrder, book: OrderBook): RejectReason | null {
  return command.orderType === "limit"
    ? refuseLimitTerms(command, book)
    : refuseMarketTerms(command, book);
}

function refuseLimitTerms(command: PlaceOrder, book: OrderBook): RejectReason | null {
  const { priceTicks, quantityLots } = command;
  if (command.postOnly && command.timeInForce !== "gtc") return "invalidTimeInForce";
  if (!isPositive(priceTicks)) return "invalidPrice";
  if (!isPositive(quantityLots)) return "invalidQuantity";
  if (command.quoteAmount !== 0) return "invalidAmount";
  if (quantityLots > book.quantityLotsMax) return "quantityTooLarge";
  // Rounding is monotone: a product beyond the exact range never comes back inside it.
  const notional = priceTicks * quantityLots * book.tickLotUnits;
  if (notional > AMOUNT_MAX) return "notionalTooLarge";
  return notional < book.notionalMin ? "notionalTooSmall" : null;
}

function refuseMarketTerms(command: PlaceOrder, book: OrderBook): RejectReason | null {
  const { quantityLots, quoteAmount } = command;
  // A market order is immediate by nature and has no price to wait at.
  if (command.timeInForce !== "ioc" || command.postOnly) return "invalidTimeInForce";
  if (command.priceTicks !== 0) return "invalidPrice";
  if (quantityLots === 0) {
    // How much an order by quote amount can trade is bounded by what it spends and by the book.
    if (!isPositive(quoteAmount)) return "invalidAmount";
    return quoteAmount < book.notionalMin ? "notionalTooSmall" : null;
  }
  if (!isPositive(quantityLots)) return "invalidQuantity";
  if (quoteAmount !== 0) return "invalidAmount";
  return quantityLots > book.quantityLotsMax ? "quantityTooLarge" : null;
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
