/**
 * Executes an auction: all that can trade at its one price does, best price first and oldest order
 * first on both sides. There is no taker: both pay their maker fee; events name the older order of
 * a pair as the maker.
 *
 * Invariants: afterwards the book does not cross; no order trades with one of its own account,
 * because none that crosses one is accepted. The work is bounded by the orders that cross, an
 * iceberg counting once for each of its parts.
 */
import { makerFeeBpsOfRow } from "../accounts/packed-fees.ts";
import { feeOn, type Lots, type Ticks } from "../amount.ts";
import { assert } from "../assert.ts";
import { type AuctionLevel, type Uncrossing as Auction, uncrossingOf } from "./auction.ts";
import { END_EXPIRED, endReasonCode } from "../orders/end-codes.ts";
import { endOrders, tradedOfList } from "../orders/ending.ts";
import { restOn } from "../orders/remainders.ts";
import type { MarketStatus } from "../commands.ts";
import { NO_LEVEL } from "../book/level-table.ts";
import { baseAmountOf, notionalOf } from "../money-formulas.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { PendingUncrossing } from "./pending-uncrossings.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import { overfullOrders } from "./receipts.ts";
import type { EngineState } from "../state.ts";

type Party = ReturnType<typeof nextParty>;

/**
 * Determines and emits the auction's price and volume; undefined if the book does not
 * cross. Nothing has traded yet.
 */
export function beginUncrossing(
  state: EngineState,
  book: OrderBook,
  status: MarketStatus,
): PendingUncrossing | undefined {
  let found = findUncrossing(state, book);
  while (book.checksReceipts && found !== undefined && endOverfull(state, book, found)) {
    found = findUncrossing(state, book);
  }
  if (found === undefined) return undefined;
  const { priceTicks, volumeLots, surplusLots } = found;
  const { marketId } = book;
  state.events.rare({
    type: "auctionUncrossed",
    marketId,
    priceTicks: priceTicks as Ticks,
    volumeLots: volumeLots as Lots,
    surplusLots,
  });
  return { marketId, priceTicks, leftLots: volumeLots, status };
}

/** Trades up to `tradesMax` of the auction's remaining pairs. Returns how many have traded. */
export function tradePairs(
  state: EngineState,
  book: OrderBook,
  auction: PendingUncrossing,
  tradesMax: number,
): number {
  const { priceTicks } = auction;
  let trades = 0;
  for (; auction.leftLots > 0 && trades < tradesMax; trades++) {
    auction.leftLots -= tradeNext(state, book, priceTicks, auction.leftLots);
  }
  if (auction.leftLots > 0) return trades;
  book.lastTicks = priceTicks;
  assert(book.bestTicks(BID) < book.bestTicks(ASK), "an auction leaves a book that does not cross");
  return trades;
}

function findUncrossing(state: EngineState, book: OrderBook): Auction | undefined {
  const bids = crossing(state, book, BID);
  const asks = crossing(state, book, ASK);
  return uncrossingOf(bids, asks, book.lastTicks || book.referenceTicks);
}

/**
 * Ends the orders of buyers whose accounts may not own the possible proceeds or, if there are
 * none, of such sellers. Returns whether there were any.
 */
function endOverfull(
  state: EngineState,
  book: OrderBook,
  { priceTicks, volumeLots }: Auction,
): boolean {
  const sweep = { lots: volumeLots, priceTicks, passedOver: 0, ordersMax: Infinity };
  for (const side of [BID, ASK]) {
    const overfull = overfullOrders(state, book, { ...sweep, side }) ?? [];
    endOrders(state, overfull, END_EXPIRED, endReasonCode("balanceTooLarge"));
    if (overfull.length > 0) return true;
  }
  return false;
}

/** The levels of a side that cross the other side, with their hidden quantities. */
function crossing(state: EngineState, book: OrderBook, side: number): AuctionLevel[] {
  const { levels } = state;
  const found: AuctionLevel[] = [];
  const reach = book.bestTicks(side === BID ? ASK : BID);
  let level = book.ladder.best(side);
  while (level !== NO_LEVEL) {
    const priceTicks = levels.priceOf(level);
    if (side === BID ? priceTicks < reach : priceTicks > reach) break;
    found.push({ priceTicks, lots: book.lotsAt(level) });
    level = book.ladder.nextWorse(level);
  }
  return found;
}

/** Matches the next two orders; returns the quantity. */
function tradeNext(
  state: EngineState,
  book: OrderBook,
  priceTicks: number,
  lotsMax: number,
): number {
  const { catalogue, ledger } = state;
  const buyer = nextParty(state, book, BID);
  const seller = nextParty(state, book, ASK);
  assert(buyer.account !== seller.account, "no account trades with itself");
  const isWithin = seller.priceTicks <= priceTicks && priceTicks <= buyer.priceTicks;
  assert(isWithin, "both orders of a pair reach the price");
  const lots = Math.min(lotsMax, buyer.visibleLots, seller.visibleLots);
  const notional = notionalOf(book, priceTicks, lots);
  const baseAmount = baseAmountOf(book, lots);
  const released = notionalOf(book, buyer.priceTicks, lots) - notional;
  const buyerFee = feeOn(baseAmount, buyer.feeBps);
  const sellerFee = feeOn(notional, seller.feeBps);
  const { baseAssetId, quoteAssetId } = book;
  const sellerReceives = notional - sellerFee;
  const buyerReceives = baseAmount - buyerFee;
  ledger.settleMaker(seller.account, baseAssetId, baseAmount, quoteAssetId, sellerReceives);
  ledger.settleTaker(
    buyer.account,
    quoteAssetId,
    notional,
    released,
    sellerFee,
    baseAssetId,
    buyerReceives,
    buyerFee,
  );
  if (book.quoteAssetId === catalogue.settlementId) {
    state.feeTiers.addVolume(buyer.account, notional);
    state.feeTiers.addVolume(seller.account, notional);
  }
  book.reduce(buyer.slot, lots);
  book.reduce(seller.slot, lots);
  book.tradeId++;
  const buyerMade = buyer.orderId < seller.orderId;
  const [maker, taker] = buyerMade ? [buyer, seller] : [seller, buyer];
  state.events.traded(
    book.marketId,
    book.tradeId,
    buyerMade,
    priceTicks,
    lots,
    notional,
    baseAmount,
    maker.orderId,
    taker.orderId,
    maker.account,
    taker.account,
    buyerMade ? buyerFee : sellerFee,
    buyerMade ? sellerFee : buyerFee,
    book.leftOf(maker.slot),
    buyerMade ? 0 : released,
  );
  state.events.auctioned(buyerMade ? released : 0, maker.priceTicks, taker.priceTicks);
  settleParty(state, buyer, buyerReceives);
  settleParty(state, seller, sellerReceives);
  return lots;
}

/** One side of a match: the next order, and its place in the book. */
function nextParty(state: EngineState, book: OrderBook, side: number) {
  const { levels, orders } = state;
  const level = book.ladder.best(side);
  const slot = levels.firstOrderOf(level);
  return {
    slot,
    orderId: orders.idOf(slot),
    account: orders.accountOf(slot),
    feeBps: makerFeeBpsOfRow(orders.feesOf(slot)),
    priceTicks: levels.priceOf(level),
    visibleLots: orders.visibleLotsOf(slot),
  };
}

/** Reports the trade to the order's list, and continues the order. */
function settleParty(state: EngineState, party: Party, received: number): void {
  const { details, orders } = state;
  const { slot, orderId } = party;
  if (orders.hasDetails(slot)) {
    tradedOfList(state, details.at(slot).listId, orderId, received);
  }
  restOn(state, slot);
}
