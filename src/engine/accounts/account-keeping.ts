/**
 * Operations on whole accounts: opening, funding, freezing and unfreezing them, and limiting their
 * balances. A freeze ends no orders unless requested; the owner may always cancel.
 */
import { ORDER_LOTS_MAX, applyLimit, validateCredit, supplyChanged } from "./balance-limit.ts";
import { DAY_MS } from "../time/calendar.ts";
import { DEFAULT_PLAN_ID } from "../markets/catalogue.ts";
import { isIdentity, isReason } from "../command-texts.ts";
import type { AssetAmount, CommandOf } from "../commands.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { END_EXPIRED, endReasonCode } from "../orders/end-codes.ts";
import { endOrders } from "../orders/ending.ts";
import { cancelOrdersOfAccount } from "../orders/mass-cancels.ts";
import type { Outcome } from "../reject-reasons.ts";
import { EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT } from "./postings.ts";
import type { EngineState } from "../state.ts";

const USER_ID_LENGTH_MAX = 64;

export function openAccount(
  { accounts, catalogue, events, ledger }: EngineState,
  { userId, kind }: CommandOf<"openAccount">,
): Outcome {
  if (typeof userId !== "string" || userId === "" || userId.length > USER_ID_LENGTH_MAX) {
    return "invalidCommand";
  }
  if (kind !== "person" && kind !== "participant") return "invalidCommand";
  if (accounts.ofUser(userId) !== undefined) return "duplicateAccount";
  if (!catalogue.plans.has(DEFAULT_PLAN_ID)) return "unknownPlan";
  if (accounts.isFull) return "limitReached";
  if (!ledger.hasRoomFor(accounts.nextId, catalogue.coins.size)) return "limitReached";
  const account = accounts.open(userId, kind, DEFAULT_PLAN_ID);
  ledger.makeRoomFor(account, catalogue.coins.size);
  events.rare({ type: "accountOpened", account, userId, kind });
  events.rare({ type: "planAssigned", account, planId: DEFAULT_PLAN_ID });
  return "accepted";
}

/** Once per UTC day, all coins or none. */
export function takePracticeFunds(
  state: EngineState,
  { account, assetId, amount, otherCoins = [] }: CommandOf<"takePracticeFunds">,
): Outcome {
  const { accounts, catalogue, ledger, nowMs } = state;
  // A list longer than the number of coins must contain duplicates: refused unread.
  if (!Array.isArray(otherCoins) || otherCoins.length > catalogue.coins.size) {
    return "invalidCommand";
  }
  const given: readonly AssetAmount[] = [{ assetId, amount }, ...otherCoins];
  for (const coin of given) {
    if (typeof coin !== "object" || coin === null) return "invalidCommand";
    const refusal = validateDeposit(state, account, coin.assetId, coin.amount);
    if (refusal !== null) return refusal;
  }
  // No coin repeats, so each can be checked against the supply separately.
  if (new Set(given.map((coin) => coin.assetId)).size < given.length) return "invalidCommand";
  if (accounts.kindOf(account) !== "person") return "invalidCommand";
  const day = Math.floor(nowMs / DAY_MS);
  if (accounts.practiceDayOf(account) === day) return "practiceFundsTakenToday";
  for (const coin of given) {
    const refusal = validateCredit(state, account, coin.assetId, coin.amount);
    if (refusal !== null) return refusal;
  }
  accounts.setPracticeDay(account, day);
  for (const coin of given) {
    ledger.deposit(account, coin.assetId, coin.amount);
    supplyChanged(state, coin.assetId);
    state.events.rare({
      type: "practiceFundsTaken",
      account,
      assetId: coin.assetId,
      amount: coin.amount,
    });
  }
  return "accepted";
}

/** Takes practice money out of the supply, so that departed users' funds do not count towards its limit. */
export function reclaimPracticeFunds(
  state: EngineState,
  { account }: CommandOf<"reclaimPracticeFunds">,
): Outcome {
  const { accounts, catalogue, ledger } = state;
  if (!accounts.exists(account)) return "unknownAccount";
  if (accounts.kindOf(account) !== "person") return "invalidCommand";
  let isEmpty = true;
  for (let assetId = 1; assetId <= catalogue.coins.size; assetId++) {
    // Deposited money stays owed to its owner.
    if (catalogue.coins.get(assetId).transfers !== undefined) continue;
    const amount = ledger.available(account, assetId);
    if (amount === 0) continue;
    isEmpty = false;
    ledger.transfer(account, EXTERNAL_ACCOUNT, assetId, amount);
    supplyChanged(state, assetId);
    state.events.rare({ type: "practiceFundsReclaimed", account, assetId, amount });
  }
  return isEmpty ? "nothingToChange" : "accepted";
}

export function fundParticipant(
  state: EngineState,
  { account, assetId, amount }: CommandOf<"fundParticipant">,
): Outcome {
  const { accounts, ledger } = state;
  const refusal = validateDeposit(state, account, assetId, amount);
  if (refusal !== null) return refusal;
  if (accounts.kindOf(account) !== "participant") return "notAParticipant";
  const tooMuch = validateCredit(state, account, assetId, amount);
  if (tooMuch !== null) return tooMuch;
  ledger.deposit(account, assetId, amount);
  supplyChanged(state, assetId);
  state.events.rare({ type: "participantFunded", account, assetId, amount });
  return "accepted";
}

function validateDeposit(
  { accounts, catalogue }: EngineState,
  account: number,
  assetId: number,
  amount: number,
): Outcome | null {
  if (!accounts.exists(account)) return "unknownAccount";
  if (!catalogue.coins.has(assetId)) return "unknownAsset";
  if (catalogue.coins.get(assetId).transfers !== undefined) return "fundedCoin";
  return Number.isSafeInteger(amount) && amount >= 1 ? null : "invalidAmount";
}

export function setAccountFreeze(
  state: EngineState,
  { account, isFrozen, cancelsOrders, byAdmin, reason }: CommandOf<"setAccountFreeze">,
): Outcome {
  if (typeof isFrozen !== "boolean" || typeof cancelsOrders !== "boolean") return "invalidCommand";
  if (!isIdentity(byAdmin) || !isReason(reason)) return "invalidCommand";
  if (!isFrozen && cancelsOrders) return "invalidCommand";
  const { accounts } = state;
  if (!accounts.exists(account)) return "unknownAccount";
  accounts.setFrozen(account, isFrozen);
  state.events.rare({ type: "accountFreezeChanged", account, isFrozen, byAdmin, reason });
  if (cancelsOrders) cancelOrdersOfAccount(state, account);
  return "accepted";
}

/** Limits how much of a coin one account may own (balance-limit.ts). */
export function limitBalances(
  state: EngineState,
  { unitsMax }: CommandOf<"limitBalances">,
): Outcome {
  if (!Number.isSafeInteger(unitsMax) || unitsMax < 1) return "invalidCommand";
  state.balanceUnitsMax = unitsMax;
  state.events.rare({ type: "balancesLimited", unitsMax });
  for (const book of state.books) if (book !== undefined) applyLimit(state, book);
  const tooLarge = ordersAbove(state, ORDER_LOTS_MAX);
  endOrders(state, tooLarge, END_EXPIRED, endReasonCode("quantityTooLarge"));
  return "accepted";
}

/** Open orders of more than `lotsMax` lots, in order of placement. */
function ordersAbove({ accounts, orders }: EngineState, lotsMax: number): number[] {
  const found: number[] = [];
  for (let account = FIRST_USER_ACCOUNT; account < accounts.nextId; account++) {
    let slot = accounts.firstOpenOrder(account);
    while (slot !== NO_ORDER) {
      if (orders.totalLotsOf(slot) > lotsMax) found.push(orders.idOf(slot));
      slot = orders.nextOfAccount(slot);
    }
  }
  return found.sort((a, b) => a - b);
}
