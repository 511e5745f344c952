/** Why orders ended, in sentences. Beside order-words.ts, since pages that show open orders never need them. */

/** One for each way in which orders end by themselves, their owners or the market. */
const ENDS = {
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
} as const;
/** The server's records of orders do not compile if an end of the engine is missing here. */
export type OrderEnd = keyof typeof ENDS;

/**
 * For reasons to refuse an order for which one that was accepted has ended: waiting orders that could not be
 * placed, and a few that also end resting ones. Those of waiting orders that are missing have one sentence.
 */
const REFUSALS = {
  accountFrozen: "Your account was frozen.",
  balanceTooLarge: "You would have owned more than one account can keep.",
  quantityTooLarge: "Its quantity was larger than an order may have.",
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
const REFUSED_WHEN_DUE = "It could not be placed when its time came.";

const SENTENCES: Readonly<Record<string, string>> = { ...ENDS, ...REFUSALS };

/** Why an order ended, in a sentence; null while it is open. */
export function orderEnd({ endReason }: { readonly endReason?: string }): string | null {
  if (endReason === undefined) return null;
  return SENTENCES[endReason] ?? REFUSED_WHEN_DUE;
}
