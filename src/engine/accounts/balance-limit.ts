/**
 * How much of a coin one account may own, available and held together. All accounts together may
 * own any amount: users' balances stay exact because each is limited, and the exchange's own
 * accounts are exact beyond that (ledger.ts).
 *
 * While the total supply of a coin is within one account's limit, nothing has to be checked. Beyond
 * that, an account is credited nothing that would exceed its limit (`balanceTooLarge`), and no
 * trade is made that could. Trades count before fees are deducted.
 * - An incoming order ends if its next trade would exceed its account's limit.
 * - A resting order ends if its next trade would; the incoming order continues with the next one.
 * - An auction or a fill-or-kill order first adds up all that each order might receive
 *   (receipts.ts).
 *
 * There is no limit until a command sets one: until then all accounts together own at most
 * AMOUNT_MAX of a coin, as when earlier journals were written (docs/decisions/023).
 */
import { AMOUNT_MAX } from "../amount.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { Ledger } from "./ledger.ts";
import type { StateWriter } from "../formats/state-writer.ts";

/** The limit, in units per account and coin, while none is set. */
export const NO_BALANCE_LIMIT = Infinity;
/**
 * The largest order while balances are limited, when the supply of a coin no longer bounds the lots
 * of a book: the maximum number of orders (2^23) then has less than 2^53 lots in total, so that
 * every total stays exact.
 */
export const ORDER_LOTS_MAX = 2 ** 29;

/** The parts of the engine's state to which the balance limit applies. */
export interface LimitedBalances {
  balanceUnitsMax: number;
  readonly ledger: Ledger;
  readonly books: readonly (OrderBook | undefined)[];
}

/** Applies the limit to a book: to a new book, or to every book when the limit has changed. */
export function applyLimit(state: LimitedBalances, book: OrderBook): void {
  if (state.balanceUnitsMax === NO_BALANCE_LIMIT) return;
  book.limitLots(ORDER_LOTS_MAX);
  book.checkReceipts(mustCheckReceipts(state, book));
}

/**
 * Decides again whether trades of the asset must be checked, after a deposit, a withdrawal or an
 * adjustment has changed its supply.
 */
export function supplyChanged(state: LimitedBalances, assetId: number): void {
  for (const book of state.books) {
    if (book?.baseAssetId !== assetId && book?.quoteAssetId !== assetId) continue;
    book.checkReceipts(mustCheckReceipts(state, book));
  }
}

/** Whether a trade in the market could lift an account beyond the limit. */
export function mustCheckReceipts(state: LimitedBalances, book: OrderBook): boolean {
  const { balanceUnitsMax, ledger } = state;
  if (balanceUnitsMax === NO_BALANCE_LIMIT) return false;
  const unitsMax = BigInt(balanceUnitsMax);
  return ledger.supply(book.baseAssetId) > unitsMax || ledger.supply(book.quoteAssetId) > unitsMax;
}

/** Why an account cannot be credited this amount of an asset; null if it can. */
export function validateCredit(
  state: LimitedBalances,
  account: number,
  assetId: number,
  amount: number,
): RejectReason | null {
  if (state.balanceUnitsMax !== NO_BALANCE_LIMIT) {
    return canReceive(state, account, assetId, amount) ? null : "balanceTooLarge";
  }
  const supply = state.ledger.supply(assetId) + BigInt(amount);
  return supply > BigInt(AMOUNT_MAX) ? "supplyExceeded" : null;
}

/**
 * Whether the account may own this much more. An account that already exceeds a newly set limit may
 * not.
 */
export function canReceive(
  { balanceUnitsMax, ledger }: LimitedBalances,
  account: number,
  assetId: number,
  amount: number,
): boolean {
  return amount <= balanceUnitsMax - ledger.total(account, assetId);
}

/**
 * Writes the limit and the balances of the exchange's own accounts, the last part of a snapshot.
 * Omitted without a limit, so that earlier hashes stay valid.
 */
export function writeBalanceLimit(
  to: StateWriter,
  { balanceUnitsMax, ledger }: LimitedBalances,
): void {
  if (balanceUnitsMax === NO_BALANCE_LIMIT) return;
  to.part("balance limit");
  to.number(balanceUnitsMax);
  ledger.writeExcessTo(to);
}

/** Reads the output of `writeBalanceLimit`. Requires a state whose balances and books have been read. */
export function readBalanceLimit(snapshot: SnapshotReader, state: LimitedBalances): void {
  if (snapshot.isAtEnd) return;
  snapshot.part("balance limit");
  state.balanceUnitsMax = snapshot.number();
  state.ledger.readExcessFrom(snapshot);
  for (const book of state.books) if (book !== undefined) applyLimit(state, book);
}
