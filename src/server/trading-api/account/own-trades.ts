/** An account's fills in the trading API's format. */
import { formatDecimal } from "#contract/decimal.ts";
import { formatPrice, formatQuantity } from "../../functions/market-numbers.ts";
import type { FillOfList } from "../../history/readers/range-reader.ts";
import type { MarketView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { NO_LIST } from "../orders/describe-order.ts";
import { symbolOf } from "../symbols.ts";

/** An item of `GET /api/v3/myTrades`. */
export function describeOwnTrade(views: Views, market: MarketView, fill: FillOfList) {
  const feeCoin = views.catalogue.coin(fill.feeAssetId).definition;
  return {
    symbol: symbolOf(market),
    id: fill.tradeId,
    orderId: fill.orderId,
    orderListId: fill.listId === 0 ? NO_LIST : fill.listId,
    price: formatPrice(fill.priceTicks, market),
    qty: formatQuantity(fill.quantityLots, market),
    quoteQty: formatDecimal(fill.notional, market.quote.scale),
    commission: formatDecimal(fill.fee, feeCoin.scale),
    commissionAsset: feeCoin.symbol,
    time: fill.timestampMs,
    isBuyer: fill.side === "buy",
    isMaker: fill.role === "maker",
    isBestMatch: true,
  };
}
