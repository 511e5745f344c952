/**
 * What makes an order acceptable in itself: its words and its numbers, before anybody asks who
 * places it, what the book looks like or whether it is affordable. Pure.
 */
import { AMOUNT_MAX } from "../amount.ts";
import type { OrderConditions, OrderTerms, OrderTrigger } from "../commands.ts";
import { notionalOf } from "../money-formulas.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { RejectReason } from "../reject-reasons.ts";

const CLIENT_ORDER_ID = /^[A-Za-z0-9._:/-]{1,36}$/;
const EXPIRY_MS_MAX = 366 * 24 * 60 * 60 * 1000;
const TRAIL_BPS_MAX = 9_999;
/** How many parts an iceberg may have: so often at most can one order be traded with by another. */
const ICEBERG_PARTS_MAX = 100;

/** Whether the words of an order are words that the engine knows. */
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
    (clientOrderId === "" ||
      (typeof clientOrderId === "string" && CLIENT_ORDER_ID.test(clientOrderId))) &&
    (conditions === undefined || areConditions(conditions))
  );
}

function areConditions(conditions: OrderConditions): boolean {
  if (typeof conditions !== "object" || conditions === null) return false;
  const { selfTradePrevention: mode, trigger } = conditions;
  return (
    (mode === undefined ||
      mode === "expireTaker" ||
      mode === "expireMaker" ||
      mode === "expireBoth" ||
      mode === "decrement") &&
    (trigger === undefined || isTrigger(trigger))
  );
}

function isTrigger(trigger: OrderTrigger): boolean {
  if (typeof trigger !== "object" || trigger === null) return false;
  const { kind } = trigger;
  return kind === "stop" || kind === "takeProfit" || kind === "trailingStop";
}

/**
 * Why the terms of an order, its conditions aside, are unacceptable in this market, null where they
 * are acceptable. A limit order that passes has an exact notional; every order by quantity has an
 * exact base amount.
 */
export function refuseTerms(terms: OrderTerms, book: OrderBook): RejectReason | null {
  if (terms.timeInForce === "gtd" && terms.conditions === undefined) return "invalidTimeInForce";
  return terms.orderType === "limit"
    ? refuseLimitTerms(terms, book)
    : refuseMarketTerms(terms, book);
}

/** Why an order may not have these conditions, null where it may. */
export function refuseConditions(
  terms: OrderTerms,
  conditions: OrderConditions,
  nowMs: number,
): RejectReason | null {
  const { displayLots, expiresAtMs, trigger } = conditions;
  const { orderType, timeInForce, quantityLots } = terms;
  if ((timeInForce === "gtd") !== (expiresAtMs !== undefined)) return "invalidTimeInForce";
  if (expiresAtMs !== undefined) {
    if (!isPositive(expiresAtMs)) return "invalidTimeInForce";
    if (expiresAtMs <= nowMs || expiresAtMs > nowMs + EXPIRY_MS_MAX) return "invalidTimeInForce";
  }
  if (displayLots !== undefined) {
    const mayRest = orderType === "limit" && (timeInForce === "gtc" || timeInForce === "gtd");
    if (!mayRest || !isDisplay(displayLots, quantityLots)) return "invalidDisplay";
  }
  if (trigger === undefined) return null;
  if (trigger.kind !== "trailingStop") {
    if (!isPositive(trigger.triggerTicks)) return "invalidTrigger";
  } else if (!isPositive(trigger.trailBps) || trigger.trailBps > TRAIL_BPS_MAX) {
    return "invalidTrigger";
  }
  // How much a sale by total takes is known only when it trades, too late to hold it.
  const sellsByTotal = orderType === "market" && terms.side === "sell" && terms.quoteAmount !== 0;
  return sellsByTotal ? "invalidAmount" : null;
}

/** Whether an iceberg of this quantity may show so much at a time. */
export function isDisplay(displayLots: number, quantityLots: number): boolean {
  return (
    isPositive(displayLots) &&
    displayLots < quantityLots &&
    quantityLots <= displayLots * ICEBERG_PARTS_MAX
  );
}

function refuseLimitTerms(terms: OrderTerms, book: OrderBook): RejectReason | null {
  const { priceTicks, quantityLots, timeInForce } = terms;
  if (terms.postOnly && timeInForce !== "gtc" && timeInForce !== "gtd") return "invalidTimeInForce";
  if (!isPositive(priceTicks)) return "invalidPrice";
  if (!isPositive(quantityLots)) return "invalidQuantity";
  if (terms.quoteAmount !== 0) return "invalidAmount";
  return refuseSize(priceTicks, quantityLots, book);
}

/** Why a limit order may not have this size, null where it may. */
export function refuseSize(
  priceTicks: number,
  quantityLots: number,
  book: OrderBook,
): RejectReason | null {
  if (quantityLots > book.quantityLotsMax) return "quantityTooLarge";
  // Rounding is monotone: a product beyond the exact range never comes back inside it.
  const notional = notionalOf(book, priceTicks, quantityLots);
  if (notional > AMOUNT_MAX) return "notionalTooLarge";
  return notional < book.notionalMin ? "notionalTooSmall" : null;
}

function refuseMarketTerms(terms: OrderTerms, book: OrderBook): RejectReason | null {
  const { quantityLots, quoteAmount } = terms;
  // A market order is immediate by nature and has no price to wait at.
  if (terms.timeInForce !== "ioc" || terms.postOnly) return "invalidTimeInForce";
  if (terms.priceTicks !== 0) return "invalidPrice";
  if (quantityLots === 0) {
    // How much an order by quote amount can trade is bounded by what it spends and by the book.
    if (!isPositive(quoteAmount)) return "invalidAmount";
    return quoteAmount < book.notionalMin ? "notionalTooSmall" : null;
  }
  if (!isPositive(quantityLots)) return "invalidQuantity";
  if (quoteAmount !== 0) return "invalidAmount";
  return quantityLots > book.quantityLotsMax ? "quantityTooLarge" : null;
}

export function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
