/**
 * Auctions: when a market begins to trade, or to take post-only orders, crossing orders trade at one
 * price, which market-model.ts finds.
 *
 * Invariants: the better price and the older order come first on both sides; both sides pay the maker's
 * fee; no account trades with itself. Never: triggers, which are evaluated once the market trades.
 */
import type { Side } from "#engine/commands.ts";
import {
  auctionPrice,
  centreOf,
  lotOf,
  tickOf,
  type ModelLevel,
  type ModelMarket,
} from "./market-model.ts";
import { book } from "./order-model-book.ts";
import { endOrder, tradedInList } from "./order-model-ending.ts";
import { isOpen, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";
import { feeOn, hold, pay } from "./order-model-holds.ts";
import { refill } from "./order-model-icebergs.ts";
import { isLimited, overfull } from "./order-model-receipts.ts";

/** Matches all orders at one price; on both sides the better price and the older order come first. */
export function uncross(exchange: ModelExchange, market: ModelMarket): void {
  const levels = (side: Side): ModelLevel[] =>
    book(exchange, market.id, side).map(({ price, left }) => ({ price, lots: left }));
  const found = auctionPrice(levels("buy"), levels("sell"), centreOf(market));
  if (found === undefined) return;
  for (const side of isLimited(exchange, market) ? (["buy", "sell"] as const) : []) {
    const tooMuch = overfull(exchange, market, side, found.volume, found.price);
    for (const order of tooMuch) {
      if (isOpen(exchange, order)) endOrder(exchange, order, "expired", "balanceTooLarge");
    }
    // Without these orders the price may differ.
    if (tooMuch.length > 0) return uncross(exchange, market);
  }
  const { price, surplus, volume } = found;
  exchange.events.push({
    type: "auctionUncrossed",
    marketId: market.id,
    priceTicks: Number(price),
    volumeLots: Number(volume),
    surplusLots: Number(surplus),
  });
  let left = volume;
  while (left > 0n) {
    const [[buyer], [seller]] = [
      book(exchange, market.id, "buy"),
      book(exchange, market.id, "sell"),
    ];
    const shown = buyer.shown < seller.shown ? buyer.shown : seller.shown;
    const lots = left < shown ? left : shown;
    tradeInAuction(exchange, market, buyer, seller, lots, price);
    left -= lots;
  }
  market.last = price;
}

function tradeInAuction(
  exchange: ModelExchange,
  market: ModelMarket,
  buyer: ModelOrder,
  seller: ModelOrder,
  lots: bigint,
  price: bigint,
): void {
  if (buyer.account === seller.account) throw new Error("no account trades with itself");
  const notional = lots * price * tickOf(market);
  const base = lots * lotOf(market);
  const released = lots * buyer.price * tickOf(market) - notional;
  const fees = new Map([
    [buyer, feeOn(base, buyer.makerBps)],
    [seller, feeOn(notional, seller.makerBps)],
  ]);
  const feeOf = (order: ModelOrder) => fees.get(order) as bigint;
  pay(exchange, buyer, seller, market.quote, notional, feeOf(seller));
  pay(exchange, seller, buyer, market.base, base, feeOf(buyer));
  if (released > 0n) hold(exchange, buyer, -released);
  for (const order of [buyer, seller]) {
    order.left -= lots;
    order.shown -= lots;
    exchange.house.traded(order.account, market.quote, notional);
  }
  const [maker, taker] = buyer.id < seller.id ? [buyer, seller] : [seller, buyer];
  exchange.events.push({
    type: "traded",
    marketId: market.id,
    tradeId: ++market.trades,
    takerSide: taker.side,
    priceTicks: Number(price),
    quantityLots: Number(lots),
    notional: Number(notional),
    baseAmount: Number(base),
    makerOrderId: maker.id,
    takerOrderId: taker.id,
    makerAccount: maker.account,
    takerAccount: taker.account,
    makerFee: Number(feeOf(maker)),
    takerFee: Number(feeOf(taker)),
    makerRemainingLots: Number(maker.left),
    takerReleased: taker === buyer ? Number(released) : 0,
    auction: {
      makerReleased: maker === buyer ? Number(released) : 0,
      makerTicks: Number(maker.price),
      takerTicks: Number(taker.price),
    },
  });
  for (const order of [buyer, seller]) {
    tradedInList(exchange, order, (order === buyer ? base : notional) - feeOf(order));
    if (order.left === 0n) endOrder(exchange, order, "filled", "filled");
    else if (order.shown === 0n) refill(exchange, order);
  }
}
