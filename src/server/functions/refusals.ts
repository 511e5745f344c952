/**
 * Every refusal that a caller can get: the names of the engine's reasons and of the server's own
 * checks, the invalid argument, and a sentence that suggests a remedy.
 */
import type { RejectReason } from "#engine/reject-reasons.ts";
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { MarketView } from "../views/catalogue.ts";
import { FunctionError } from "./function-error.ts";

/** Details of the refused command that sentences mention. */
export interface RefusedCommand {
  readonly market?: MarketView;
  readonly side?: "buy" | "sell";
  /** The argument that determines the order's size. */
  readonly sizeField?: "quantity" | "quoteAmount" | "amount" | "plan";
  /** Whether an administrator acts on another user's account. */
  readonly isOfAnother?: boolean;
}

/** How many characters of a caller's text are quoted; the rest is omitted. */
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

/** The refusal of a request that changes an order which is not open. */
export function unknownOrder(): FunctionError {
  return refused("unknownOrder");
}

/** The refusal of a request that reads an order which does not exist. */
export function noSuchOrder(): FunctionError {
  return new FunctionError({
    code: "unknownOrder",
    field: "orderId",
    message: "You have no order with this id.",
  });
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

/** The refusal for a reject reason of the engine. */
export function refused(reason: RejectReason, command: RefusedCommand = {}): FunctionError {
  const refusal = REFUSALS[reason];
  const [field, message] = typeof refusal === "function" ? refusal(command) : refusal;
  return new FunctionError({ code: reason, ...(field !== undefined && { field }), message });
}

/** The invalid argument, if any, and a sentence that suggests a remedy. */
type Refusal = readonly [field: string | undefined, message: string];

/** Sentences that depend on the command are functions of it. */
const REFUSALS: Readonly<Record<RejectReason, Refusal | ((command: RefusedCommand) => Refusal)>> = {
  invalidCommand: [undefined, "The request is not valid."],
  unknownAsset: ["coin", "There is no such coin."],
  unknownMarket: ["market", "There is no such market."],
  unknownPlan: ["plan", "There is no such plan."],
  unknownAccount: [undefined, "There is no such account."],
  unknownOrder: [
    "orderId",
    "You have no open order with this id: it has ended or never was yours.",
  ],
  duplicateSymbol: ["symbol", "This symbol is taken; choose another."],
  duplicateAccount: [undefined, "This user has an account already."],
  duplicateClientOrderId: [
    "clientOrderId",
    "You used this client order id for a different order; choose another.",
  ],
  limitReached: [undefined, "The exchange cannot hold more of these."],
  marketNotTrading: ["market", "This market takes no new orders at the moment."],
  invalidPrice: ({ market }) => [
    "price",
    market ? `price ${multipleOf(market.tickSize)}.` : "price is not valid.",
  ],
  invalidQuantity: ({ market }) => [
    "quantity",
    market ? `quantity ${multipleOf(market.lotSize)}.` : "quantity is not valid.",
  ],
  invalidAmount: ({ sizeField = "quantity" }) => [sizeField, "The amount is not valid."],
  invalidTimeInForce: ["timeInForce", "This order type cannot have this time in force."],
  notionalTooSmall: ({ market, sizeField = "quantity" }) => [
    sizeField,
    market
      ? `The order must be worth at least ${notionalMin(market)} ${market.quote.symbol}; order more.`
      : "The order is worth too little; order more.",
  ],
  notionalTooLarge: ({ sizeField = "quantity" }) => [
    sizeField,
    "The order is worth more than one order may be; order less.",
  ],
  quantityTooLarge: ({ market, sizeField = "quantity" }) => [
    sizeField,
    market
      ? `One order may be at most ${quantityMax(market)} ${market.base.symbol}; order less.`
      : "The quantity is more than one order may have; order less.",
  ],
  insufficientAvailable: ({ isOfAnother, market, side, sizeField = "quantity" }) => [
    sizeField,
    market && side
      ? `You do not have enough ${(side === "buy" ? market.quote : market.base).symbol} available; order less or free what open orders hold.`
      : isOfAnother === true
        ? "The user does not have that much available: open orders may hold it."
        : "You do not have enough available.",
  ],
  wouldCross: [
    "price",
    "A post-only order must wait in the book, but this price would trade at once; move it away from the other side.",
  ],
  wouldNotFill: [
    "timeInForce",
    "A fill-or-kill order must fill at once and completely, but the book has too little at this price.",
  ],
  noLiquidity: [
    "market",
    "There is nothing on the other side of the book to trade with; place a limit order.",
  ],
  tooManyOpenOrders: [undefined, "Your plan allows no more open orders; cancel some first."],
  practiceFundsTakenToday: [
    undefined,
    "You took practice funds today; more can be taken tomorrow (UTC).",
  ],
  supplyExceeded: [undefined, "The exchange can hold no more of this coin."],
  simulationAlreadyStarted: [undefined, "The simulated market runs already."],
  notAParticipant: [undefined, "Only simulated participants can be funded this way."],
  accountFrozen: ({ isOfAnother }) => [
    undefined,
    isOfAnother === true
      ? "The account is frozen: unfreeze it first, or reject the withdrawal."
      : "This account is frozen: it can cancel orders, but place none and change no plan. Ask the operator.",
  ],
  planNotOffered: ["plan", "This plan cannot be chosen; an administrator assigns it."],
  planUnchanged: ["plan", "This is your plan already, or the one that follows it."],
  volumeNotReached: ["plan", "Your volume of the last 30 days does not reach this plan yet."],
  unknownAdjustment: ["adjustmentId", "No such adjustment is pending: it has been decided."],
  sameAdministrator: [undefined, "This needs a second administrator: you took the step before."],
  invalidDisplay: [
    "display",
    "An iceberg shows less than its quantity and at least a tenth of it; only a limit order that may rest can be one.",
  ],
  invalidTrigger: ["trigger", "The trigger is not valid."],
  noReferencePrice: ({ sizeField }) =>
    sizeField === "amount"
      ? [
          undefined,
          "This coin has no price yet, and your plan limits what you withdraw by its value. Ask the operator.",
        ]
      : ["trigger", "This market has not traded yet, so no price can trigger an order."],
  wouldTriggerAtOnce: [
    "trigger",
    "The last price has passed this trigger price already; choose one on the other side of it.",
  ],
  tooManyAlgoOrders: [
    undefined,
    "Your plan allows no more orders that wait or are icebergs; cancel some first.",
  ],
  orderNotResting: ["orderId", "This order waits; cancel and replace it instead of amending it."],
  nothingToChange: ({ isOfAnother }) => [
    undefined,
    isOfAnother === true ? "It is so already." : "The order has these terms already.",
  ],
  invalidReplacement: [
    "orderId",
    "An order can be replaced by one of the same market and side, and only if it is of no list.",
  ],
  invalidList: [undefined, "The orders of this list do not fit together."],
  invalidDelay: ["delayMs", "The delay must be 0, or between one second and 24 hours."],
  priceOutsideBand: [
    "price",
    "This price is too far from the market's price; nothing is placed. Choose one closer to it.",
  ],
  wouldCrossOwnOrder: [
    "price",
    "This order would trade with one of your own in the auction; cancel that one first.",
  ],
  invalidValidUntil: [
    "validUntil",
    "validUntil may be at most one minute ahead of the server's time.",
  ],
  requestExpired: [
    "validUntil",
    "This request arrived too late: nothing was placed or changed. Try again.",
  ],
  balanceTooLarge: ({ isOfAnother }) => [
    undefined,
    isOfAnother === true
      ? "The user would own more of this coin than one account can keep."
      : "You would own more of this coin than one account can keep.",
  ],
  marketBusy: [
    "market",
    "This market is just ending or trading the orders that it has. Try again in a moment.",
  ],
  unknownTransfer: ["transferId", "There is no such deposit or withdrawal."],
  transferNotOpen: [
    "transferId",
    "This step is not possible now: look at the state that the transfer has meanwhile.",
  ],
  notThePayer: [
    undefined,
    "Another administrator is to pay this, or nobody has said that they do. Say so first, before you pay.",
  ],
  tooManyDeposits: [
    undefined,
    "You have announced as many deposits as can be open at one time; cancel one, or wait until one has arrived.",
  ],
  notDust: ["amount", "This is enough to be withdrawn, so it cannot be given up."],
  requestReused: [
    undefined,
    "Another request was sent under this id, so nothing was done. Send it again under a new one.",
  ],
  receiptKnown: ["receipt", "Another deposit was recorded from this receipt; look whose it is."],
  ownTransfer: [undefined, "This is your own transfer: another administrator must decide it."],
  notFunded: ["coin", "This coin is practice money: it cannot be deposited or withdrawn."],
  fundedCoin: ["coin", "This coin is paid in, so it cannot be given as practice funds."],
  mixedFunds: [
    undefined,
    "Coins that are paid in and practice coins never share a market, and a coin stays what it is.",
  ],
  depositsClosed: ["network", "Deposits of this coin are closed on this network."],
  withdrawalsClosed: ["network", "Withdrawals of this coin are closed on this network."],
  amountTooSmall: ["amount", "The amount is below the minimum for this coin."],
  amountTooLarge: ["amount", "The amount is above the maximum for one withdrawal of this coin."],
  withdrawalLimitReached: [
    "amount",
    "Your plan allows no more withdrawals today or this month (UTC); withdraw less or later.",
  ],
};

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
