/**
 * How much of a coin one account may own, available and held together. All accounts together may own
 * any amount: what users have stays in the exact range because each of them does, and the exchange's
 * own accounts are exact beyond it (ledger.ts).
 *
 * As long as all together own no more of a coin than one account may, nothing has to be checked. From
 * then on an account is given nothing that would lift it beyond the limit (`balanceTooLarge`), and no
 * trade is made that could. What a trade brings is counted before its fee is taken off.
 *   - An incoming order ends where its next trade would bring its account too much.
 *   - A resting order ends where its next trade would; the incoming order continues with the one behind.
 *   - Before an auction and a fill-or-kill order all that each order might receive is added up
 *     (receipts.ts).
 *
 * There is no such limit until a command sets one: until then all accounts together own at most
 * AMOUNT_MAX of a coin, as they did when earlier journals were written (docs/decisions/023).
 */
import { AMOUNT_MAX } from "../amount.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { Ledger } from "./ledger.ts";
import type { StateWriter } from "../formats/state-writer.ts";

/** Units per account and coin while no limit is set. */
export const NO_BALANCE_LIMIT = Infinity;
/**
 * The largest order while balances are limited. No supply bounds the lots of a book then, but as many
 * orders as there can be (2^23) have less than 2^53 lots together: every total stays exact.
 */
export const ORDER_LOTS_MAX = 2 ** 29;

/** What the limit holds for: parts of the engine's state. */
export interface LimitedBalances {
  balanceUnitsMax: number;
  readonly ledger: Ledger;
  readonly books: readonly (OrderBook | undefined)[];
}

/** Tells a book of the limit: one that is new, or all when the limit has changed. */
export function applyLimit(state: LimitedBalances, book: OrderBook): void {
  if (state.balanceUnitsMax === NO_BALANCE_LIMIT) return;
  book.limitLots(ORDER_LOTS_MAX);
  book.checkReceipts(mustCheckReceipts(state, book));
}

/** Money of the asset has come from outside, gone there, or was corrected. */
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

/** Why an account cannot be given so much more of an asset, null where it can. */
export function refuseCredit(
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

/** Whether the account may own so much more; one that owned too much when the limit was set may not. */
export function canReceive(
  { balanceUnitsMax, ledger }: LimitedBalances,
  account: number,
  assetId: number,
  amount: number,
): boolean {
  return amount <= balanceUnitsMax - ledger.total(account, assetId);
}

/**
 * The limit and what the exchange's own accounts have: the last part of a snapshot. Without a limit there
 * is no such part, so that earlier hashes stay.
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

/** Into a state that has its balances and its books. */
export function readBalanceLimit(snapshot: SnapshotReader, state: LimitedBalances): void {
  if (snapshot.isAtEnd) return;
  snapshot.part("balance limit");
  state.balanceUnitsMax = snapshot.number();
  state.ledger.readExcessFrom(snapshot);
  for (const book of state.books) if (book !== undefined) applyLimit(state, book);
}
