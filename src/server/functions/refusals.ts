/**
 * Every refusal that a caller can get, in one place: what the engine's reasons and the checks at the
 * edge are called, which argument is at fault, and a sentence that says what to do.
 */
import type { ErrorData } from "#contract/errors.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { MarketView } from "../views/catalogue.ts";
import { FunctionError } from "./function-error.ts";

/** What is known of the refused command, for sentences that name it. */
export interface RefusedCommand {
  readonly market?: MarketView;
  readonly side?: "buy" | "sell";
  /** The argument that said how much. */
  readonly sizeField?: "quantity" | "quoteAmount" | "amount" | "plan";
  /** True where an administrator does it to somebody else's account. */
  readonly isOfAnother?: boolean;
}

/** Shown of a text that the caller sent; the rest of an endless one is left out. */
const QUOTED_LENGTH_MAX = 40;

export function unauthorized(): FunctionError {
  return new FunctionError({ code: "unauthorized", message: "Sign in to do this." });
}

export function invalidArgument(field: string | undefined, message: string): FunctionError {
  return new FunctionError({
    code: "invalidArgument",
    ...(field === undefined ? {} : { field }),
    message,
  });
}

export function unknownMarket(symbol: string): FunctionError {
  return new FunctionError({
    code: "unknownMarket",
    field: "market",
    message: `There is no market ${quoted(symbol)}.`,
  });
}

export function unknownOrder(): FunctionError {
  return new FunctionError(describe("unknownOrder", {}));
}

export function unknownFill(): FunctionError {
  return new FunctionError({
    code: "notFound",
    field: "tradeId",
    message: "Your order has no such trade.",
  });
}

export function quoted(text: string): string {
  const short = text.length > QUOTED_LENGTH_MAX ? `${text.slice(0, QUOTED_LENGTH_MAX)}…` : text;
  return JSON.stringify(short);
}

/** The refusal for a reason of the engine. */
export function refused(reason: RejectReason, command: RefusedCommand = {}): FunctionError {
  return new FunctionError(describe(reason, command));
}

function describe(reason: RejectReason, command: RefusedCommand): ErrorData {
  const { market, side, sizeField = "quantity" } = command;
  const refuse = (field: string | undefined, message: string): ErrorData =>
    field === undefined ? { code: reason, message } : { code: reason, field, message };
  switch (reason) {
    case "invalidCommand":
      return refuse(undefined, "The request is not valid.");
    case "unknownAsset":
      return refuse("coin", "There is no such coin.");
    case "unknownMarket":
      return refuse("market", "There is no such market.");
    case "unknownPlan":
      return refuse("plan", "There is no such plan.");
    case "unknownAccount":
      return refuse(undefined, "There is no such account.");
    case "unknownOrder":
      return refuse(
        "orderId",
        "You have no open order with this id: it has ended or never was yours.",
      );
    case "duplicateSymbol":
      return refuse("symbol", "This symbol is taken; choose another.");
    case "duplicateAccount":
      return refuse(undefined, "This user has an account already.");
    case "duplicateClientOrderId":
      return refuse(
        "clientOrderId",
        "You used this client order id for a different order; choose another.",
      );
    case "limitReached":
      return refuse(undefined, "The exchange cannot hold more of these.");
    case "marketNotTrading":
      return refuse("market", "This market takes no new orders at the moment.");
    case "invalidPrice":
      return refuse(
        "price",
        market ? `price ${multipleOf(market.tickSize)}.` : "price is not valid.",
      );
    case "invalidQuantity":
      return refuse(
        "quantity",
        market ? `quantity ${multipleOf(market.lotSize)}.` : "quantity is not valid.",
      );
    case "invalidAmount":
      return refuse(sizeField, "The amount is not valid.");
    case "invalidTimeInForce":
      return refuse("timeInForce", "This order type cannot have this time in force.");
    case "notionalTooSmall":
      return refuse(
        sizeField,
        market
          ? `The order must be worth at least ${notionalMin(market)} ${market.quote.symbol}; order more.`
          : "The order is worth too little; order more.",
      );
    case "notionalTooLarge":
      return refuse(sizeField, "The order is worth more than one order may be; order less.");
    case "quantityTooLarge":
      return refuse(
        sizeField,
        market
          ? `One order may be at most ${quantityMax(market)} ${market.base.symbol}; order less.`
          : "The quantity is more than one order may have; order less.",
      );
    case "insufficientAvailable":
      return refuse(
        sizeField,
        market && side
          ? `You do not have enough ${(side === "buy" ? market.quote : market.base).symbol} available; order less or free what open orders hold.`
          : command.isOfAnother === true
            ? "The user does not have that much available: open orders may hold it."
            : "You do not have enough available.",
      );
    case "wouldCross":
      return refuse(
        "price",
        "A post-only order must wait in the book, but this price would trade at once; move it away from the other side.",
      );
    case "wouldNotFill":
      return refuse(
        "timeInForce",
        "A fill-or-kill order must fill at once and completely, but the book has too little at this price.",
      );
    case "noLiquidity":
      return refuse(
        "market",
        "There is nothing on the other side of the book to trade with; place a limit order.",
      );
    case "tooManyOpenOrders":
      return refuse(undefined, "Your plan allows no more open orders; cancel some first.");
    case "practiceFundsTakenToday":
      return refuse(undefined, "You took practice funds today; more can be taken tomorrow (UTC).");
    case "supplyExceeded":
      return refuse(undefined, "The exchange can hold no more of this coin.");
    case "simulationAlreadyStarted":
      return refuse(undefined, "The simulated market runs already.");
    case "notAParticipant":
      return refuse(undefined, "Only simulated participants can be funded this way.");
    case "accountFrozen":
      return refuse(
        undefined,
        "This account is frozen: it can cancel orders, but place none and change no plan. Ask the operator.",
      );
    case "planNotOffered":
      return refuse("plan", "This plan cannot be chosen; an administrator assigns it.");
    case "planUnchanged":
      return refuse("plan", "This is your plan already, or the one that follows it.");
    case "volumeNotReached":
      return refuse("plan", "Your volume of the last 30 days does not reach this plan yet.");
    case "unknownAdjustment":
      return refuse("adjustmentId", "No such correction is pending: it has been decided.");
    case "sameAdministrator":
      return refuse(undefined, "A correction needs a second administrator; you proposed this one.");
    case "invalidDisplay":
      return refuse(
        "display",
        "An iceberg shows less than its quantity and at least a hundredth of it; only a limit order that may rest can be one.",
      );
    case "invalidTrigger":
      return refuse("trigger", "The trigger is not valid.");
    case "noReferencePrice":
      return refuse("trigger", "This market has not traded yet, so no price can trigger an order.");
    case "wouldTriggerAtOnce":
      return refuse(
        "trigger",
        "The last price has passed this trigger price already; choose one on the other side of it.",
      );
    case "tooManyAlgoOrders":
      return refuse(
        undefined,
        "Your plan allows no more orders that wait or are icebergs; cancel some first.",
      );
    case "orderNotResting":
      return refuse("orderId", "This order waits; cancel and replace it instead of amending it.");
    case "nothingToChange":
      return refuse(undefined, "The order has this price and quantity already.");
    case "invalidReplacement":
      return refuse(
        "orderId",
        "An order can be replaced by one of the same market and side, and only if it is of no list.",
      );
    case "invalidList":
      return refuse(undefined, "The orders of this list do not fit together.");
    case "invalidDelay":
      return refuse("delayMs", "The delay must be 0, or between one second and 24 hours.");
    case "priceOutsideBand":
      return refuse(
        "price",
        "This price is too far from the market's price; nothing is placed. Choose one closer to it.",
      );
    case "wouldCrossOwnOrder":
      return refuse(
        "price",
        "This order would trade with one of your own in the auction; cancel that one first.",
      );
    case "invalidValidUntil":
      return refuse(
        "validUntil",
        "validUntil may be at most one minute ahead of the server's time.",
      );
    case "requestExpired":
      return refuse(
        "validUntil",
        "This request arrived too late: nothing was placed or changed. Try again.",
      );
    case "balanceTooLarge":
      return refuse(
        undefined,
        command.isOfAnother === true
          ? "The user would own more of this coin than one account can keep."
          : "You would own more of this coin than one account can keep.",
      );
    case "marketBusy":
      return refuse(
        "market",
        "This market is just ending or trading the orders that it has. Try again in a moment.",
      );
    default:
      throw new Error(`no sentence tells ${String(reason satisfies never)}`);
  }
}

/** Completes a sentence that begins with the field's name. */
export function multipleOf(step: string): string {
  return `must be a multiple of ${step}`;
}

function notionalMin(market: MarketView): string {
  return trimDecimal(formatDecimal(market.definition.notionalMin, market.quote.scale));
}

function quantityMax(market: MarketView): string {
  const units = BigInt(market.definition.quantityLotsMax) * BigInt(market.definition.lotUnits);
  return trimDecimal(formatDecimal(units, market.base.scale));
}
