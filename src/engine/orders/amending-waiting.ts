/**
 * Gives an order that waits new terms: its limit price, its trigger, its quantity or total. It is in no
 * book, so it has no place in a queue to lose; a trailing stop keeps the best price that it has
 * followed.
 *
 * Never: which orders may be amended, and the effect of an amendment on the other orders of a list
 * (amending.ts).
 */
import type { Amount, Lots, Ticks } from "../amount.ts";
import { BID } from "../book/price-ladder.ts";
import { trailedTicks } from "../book/triggers.ts";
import type { CommandOf, OrderTerms, OrderTrigger } from "../commands.ts";
import { notionalMaxOf } from "../markets/price-limits.ts";
import { isPositive } from "../order-terms.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { validateTerms } from "./order-checks.ts";
import type { OrderDetails } from "./order-details.ts";
import { validatePendingTerms, validateTriggeredSize } from "./validating.ts";
import { termsOf, type Waiting } from "./waiting-orders.ts";

type Command = CommandOf<"amendOrder">;
/** The terms of a waiting order that an amendment may change; those that are 0 or absent stay. */
export type WaitingChange = Partial<
  Pick<Command, "priceTicks" | "quantityLots" | "quoteAmount" | "trailBps" | "triggerTicks">
>;

export interface WaitingAmendment {
  readonly waiting: Waiting;
  readonly terms: OrderTerms;
  readonly spentAssetId: number;
  readonly changesTerms: boolean;
  readonly changesTrigger: boolean;
  /**
   * The trigger price and the hold that the order needs at it, once `validateWaitingTerms` has found no
   * fault.
   */
  triggerTicks: number;
  neededAmount: number;
}

/** Why an order that waits has no such field; null if it has all that the command changes. */
export function validateFieldsOfWaiting(
  { details, lots }: Waiting,
  { priceTicks, quantityLots, quoteAmount, trailBps, triggerTicks }: Command,
): RejectReason | null {
  const { conditions, orderType, quoteAmount: total } = details.terms;
  const kind = conditions.trigger?.kind;
  const hasTriggerPrice = kind === "stop" || kind === "takeProfit";
  if (priceTicks !== 0 && !(orderType === "limit" && isPositive(priceTicks))) return "invalidPrice";
  // Without a quantity its size is a total, or the proceeds of its working order.
  if (quantityLots !== 0 && !(lots !== 0 && isPositive(quantityLots))) return "invalidQuantity";
  if (quoteAmount !== undefined && !(total !== 0 && isPositive(quoteAmount)))
    return "invalidAmount";
  if (triggerTicks !== undefined && !(hasTriggerPrice && isPositive(triggerTicks))) {
    return "invalidTrigger";
  }
  return trailBps !== undefined && kind !== "trailingStop" ? "invalidTrigger" : null;
}

export function waitingAmendmentOf(
  state: EngineState,
  waiting: Waiting,
  { priceTicks = 0 as Ticks, quantityLots = 0 as Lots, quoteAmount, ...change }: WaitingChange,
): WaitingAmendment {
  const { book, details, lots, side } = waiting;
  const old = termsOf(state, waiting, lots);
  const trigger = amendedTrigger(old.conditions?.trigger, change);
  const terms: OrderTerms = {
    ...old,
    priceTicks: priceTicks === 0 ? old.priceTicks : priceTicks,
    quantityLots: quantityLots === 0 ? old.quantityLots : quantityLots,
    quoteAmount: quoteAmount ?? old.quoteAmount,
    conditions: trigger === undefined ? old.conditions : { ...old.conditions, trigger },
  };
  const changesTrigger = !isSameTrigger(trigger, old.conditions?.trigger);
  return {
    waiting,
    terms,
    spentAssetId: side === BID ? book.quoteAssetId : book.baseAssetId,
    changesTrigger,
    changesTerms:
      changesTrigger ||
      terms.priceTicks !== old.priceTicks ||
      terms.quantityLots !== old.quantityLots ||
      terms.quoteAmount !== old.quoteAmount,
    triggerTicks: details.triggerTicks,
    neededAmount: details.neededAmount,
  };
}

function amendedTrigger(
  trigger: OrderTrigger | undefined,
  { trailBps, triggerTicks }: Pick<WaitingChange, "trailBps" | "triggerTicks">,
): OrderTrigger | undefined {
  if (trigger === undefined) return undefined;
  return trigger.kind === "trailingStop"
    ? { kind: trigger.kind, trailBps: trailBps ?? trigger.trailBps }
    : { kind: trigger.kind, triggerTicks: triggerTicks ?? trigger.triggerTicks };
}

function isSameTrigger(one: OrderTrigger | undefined, other: OrderTrigger | undefined): boolean {
  return sizeOf(one) === sizeOf(other);
}

function sizeOf(trigger: OrderTrigger | undefined): number {
  if (trigger === undefined) return 0;
  return trigger.kind === "trailingStop" ? trigger.trailBps : trigger.triggerTicks;
}

/** Why an order that waits may not have these terms, apart from its hold; null if it may. */
export function validateWaitingTerms(
  state: EngineState,
  amendment: WaitingAmendment,
): RejectReason | null {
  const { changesTrigger, terms, waiting } = amendment;
  const { account, book, details } = waiting;
  const { trigger } = terms.conditions ?? {};
  if (details.waitsFor === "workingOrder") {
    const badTerms = validatePendingTerms(state, terms, book);
    // A trailing stop's trigger price is known only once it follows the market.
    if (trigger !== undefined && trigger.kind !== "trailingStop") {
      amendment.triggerTicks = trigger.triggerTicks;
    }
    return badTerms;
  }
  const badTerms = validateTerms(terms, book, state.nowMs);
  if (badTerms !== null || trigger === undefined) return badTerms;
  const triggerTicks = changesTrigger ? movedTriggerTicks(details, trigger) : details.triggerTicks;
  if (changesTrigger && isReachedBy(details, triggerTicks, book.lastTicks)) {
    return "wouldTriggerAtOnce";
  }
  const order = state.placements.second;
  order.fill(terms, account, book);
  order.triggerTicks = triggerTicks;
  const plan = state.catalogue.planTerms(state.accounts.planOf(account));
  const badSize = validateTriggeredSize(order, notionalMaxOf(book, plan));
  amendment.triggerTicks = triggerTicks;
  amendment.neededAmount = order.neededAmount;
  return badSize;
}

function movedTriggerTicks(details: OrderDetails, trigger: OrderTrigger): number {
  return trigger.kind === "trailingStop"
    ? trailedTicks(details.bestTicks, trigger.trailBps, details.activatesAbove)
    : trigger.triggerTicks;
}

/** Whether a price reaches the trigger price that a waiting order would have. */
function isReachedBy(
  { activatesAbove }: OrderDetails,
  triggerTicks: number,
  priceTicks: number,
): boolean {
  return activatesAbove ? priceTicks >= triggerTicks : priceTicks <= triggerTicks;
}

/**
 * Whether the fill of the working order at this price, or a better one, reaches the trigger price of an
 * order that waits for it.
 */
export function isReachedByFill(
  { details }: Waiting,
  triggerTicks: number,
  working: { readonly side: number; readonly priceTicks: number },
): boolean {
  const { trigger } = details.terms.conditions;
  if (trigger === undefined || trigger.kind === "trailingStop") return false;
  const fillsDown = working.side === BID;
  if (fillsDown === details.activatesAbove) return false;
  return isReachedBy(details, triggerTicks, working.priceTicks);
}

/** Amends an order that waits; it holds this amount from now on. From here on nothing is refused. */
export function amendWaiting(
  { events, ledger, orders }: EngineState,
  { changesTrigger, neededAmount, spentAssetId, terms, triggerTicks, waiting }: WaitingAmendment,
  heldAmount: number,
): void {
  const { account, book, details, side, slot } = waiting;
  const more = heldAmount - details.heldAmount;
  if (more > 0) ledger.hold(account, spentAssetId, more);
  else ledger.release(account, spentAssetId, -more);
  const moves = changesTrigger && details.waitsFor === "trigger";
  // The triggers find an order by its trigger price.
  if (moves) book.triggers.remove(details);
  const { conditions = {}, orderType, priceTicks, quantityLots, quoteAmount, timeInForce } = terms;
  details.terms = { orderType, timeInForce, priceTicks, quoteAmount, conditions };
  details.triggerTicks = triggerTicks;
  details.neededAmount = neededAmount;
  details.heldAmount = heldAmount;
  if (moves) book.triggers.add(details);
  orders.setTotalLots(slot, quantityLots);
  events.rare({
    type: "waitingOrderAmended",
    orderId: details.orderId,
    account,
    marketId: book.marketId,
    side: side === BID ? "buy" : "sell",
    priceTicks,
    quantityLots,
    quoteAmount,
    triggerTicks: triggerTicks as Ticks,
    ...(conditions.trigger !== undefined && { trigger: conditions.trigger }),
    heldAmount: Math.max(0, more) as Amount,
    releasedAmount: Math.max(0, -more) as Amount,
  });
}
