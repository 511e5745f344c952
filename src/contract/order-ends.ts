/**
 * Why orders ended, in sentences. Separate from order-words.ts, since pages that show open orders
 * never need them.
 */
import type { Order } from "./types.ts";

const END_SENTENCES: Readonly<Record<string, string>> = {
  filled: "Filled.",
  byOwner: "Cancelled by you.",
  immediateOrCancel: "What could not trade at once ended.",
  bookExhausted: "The book had nothing more to trade with.",
  selfTrade: "It would have traded with an order of your own.",
  priceBand: "The next price was too far from the market's.",
  expired: "Its time was over.",
  cancelTimer: "Your cancel timer went off.",
  listEnded: "A linked order traded or ended.",
  listExpired: "A linked order traded, was triggered or expired.",
  workingOrderExpired: "The order that it waited for expired.",
  replaced: "Replaced by another order.",
  marketClosed: "The market closed.",
  breaker: "The market halted.",
  accountFrozen: "Your account was frozen.",
  balanceTooLarge: "You would have owned more than one account can keep.",
  insufficientAvailable: "Not enough was available when its time came.",
  marketNotTrading: "The market took no such orders when its time came.",
  notionalTooSmall: "It was worth too little when its time came.",
  notionalTooLarge: "It was worth too much when its time came.",
  noLiquidity: "The book was empty when its time came.",
  priceOutsideBand: "Its price was too far from the market's when its time came.",
  tooManyOpenOrders: "You had too many open orders when its time came.",
  tooManyAlgoOrders: "You had too many waiting orders when its time came.",
  wouldCross: "It would have traded at once, and was post-only.",
  wouldCrossOwnOrder: "It would have traded with an order of your own.",
  wouldNotFill: "It could not fill completely at once.",
  wouldTriggerAtOnce: "The price had passed its trigger when its time came.",
};

/** Why an order ended, in a sentence; null while it is open. */
export function orderEnd({ endReason }: Pick<Order, "endReason">): string | null {
  if (endReason === undefined) return null;
  return END_SENTENCES[endReason] ?? "It could not be placed when its time came.";
}
