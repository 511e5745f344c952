/**
 * Validates an order on its own: its enumerated values and its numbers, independent of who places
 * it, of the book and of balances. Pure.
 */
import { AMOUNT_MAX } from "../amount.ts";
import type { OrderTerms } from "../commands.ts";
import { notionalOf } from "../money-formulas.ts";
import { areConditions, isPositive, validateConditions } from "../order-terms.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { RejectReason } from "../reject-reasons.ts";

const CLIENT_ORDER_ID = /^[A-Za-z0-9._:/-]{1,36}$/;

/** Whether the text is a valid client id of an order or a list. */
export function isClientId(text: unknown): boolean {
  return typeof text === "string" && CLIENT_ORDER_ID.test(text);
}

/** Whether the engine knows the order's enumerated values. */
export function isWellFormed(terms: OrderTerms): boolean {
  const { side, orderType, timeInForce, postOnly, clientOrderId, conditions } = terms;
  return (
    (side === "buy" || side === "sell") &&
    (orderType === "limit" || orderType === "market") &&
    (timeInForce === "gtc" ||
      timeInForce === "ioc" ||
      timeInForce === "fok" ||
      timeInForce === "gtd") &&
    typeof postOnly === "boolean" &&
    (clientOrderId === "" || isClientId(clientOrderId)) &&
    (conditions === undefined || areConditions(conditions))
  );
}

/**
 * Why the terms of an order, its conditions first, are invalid in this market, null if they are
 * valid. A limit order that passes has an exact notional; every order by quantity has an exact base
 * amount.
 */
export function validateTerms(
  terms: OrderTerms,
  book: OrderBook,
  nowMs: number,
): RejectReason | null {
  const { conditions, timeInForce } = terms;
  if (conditions === undefined) {
    if (timeInForce === "gtd") return "invalidTimeInForce";
  } else {
    const refusal = validateConditions(terms, conditions, nowMs);
    if (refusal !== null) return refusal;
  }
  return terms.orderType === "limit"
    ? validateLimitTerms(terms, book)
    : validateMarketTerms(terms, book);
}

function validateLimitTerms(terms: OrderTerms, book: OrderBook): RejectReason | null {
  const { priceTicks, quantityLots, timeInForce } = terms;
  if (terms.postOnly && timeInForce !== "gtc" && timeInForce !== "gtd") return "invalidTimeInForce";
  if (!isPositive(priceTicks)) return "invalidPrice";
  if (!isPositive(quantityLots)) return "invalidQuantity";
  if (terms.quoteAmount !== 0) return "invalidAmount";
  return validateSize(priceTicks, quantityLots, book);
}

/** Why a limit order may not have this size, null if it may. */
export function validateSize(
  priceTicks: number,
  quantityLots: number,
  book: OrderBook,
): RejectReason | null {
  if (quantityLots > book.quantityLotsMax) return "quantityTooLarge";
  // Rounding is monotone: a product beyond the exact range never rounds back into it.
  const notional = notionalOf(book, priceTicks, quantityLots);
  if (notional > AMOUNT_MAX) return "notionalTooLarge";
  return notional < book.notionalMin ? "notionalTooSmall" : null;
}

function validateMarketTerms(terms: OrderTerms, book: OrderBook): RejectReason | null {
  const { quantityLots, quoteAmount } = terms;
  // A market order is immediate by nature and has no price at which to rest.
  if (terms.timeInForce !== "ioc" || terms.postOnly) return "invalidTimeInForce";
  if (terms.priceTicks !== 0) return "invalidPrice";
  if (quantityLots === 0) {
    // The quantity that an order by quote amount can trade is bounded by that amount and by the book.
    if (!isPositive(quoteAmount)) return "invalidAmount";
    return quoteAmount < book.notionalMin ? "notionalTooSmall" : null;
  }
  if (!isPositive(quantityLots)) return "invalidQuantity";
  if (quoteAmount !== 0) return "invalidAmount";
  return quantityLots > book.quantityLotsMax ? "quantityTooLarge" : null;
}
