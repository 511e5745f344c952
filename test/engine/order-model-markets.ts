/**
 * Changes of markets: states set by administrators, the clock and the breaker, with their effect on the
 * market's orders, and changes of terms. Which orders a state accepts is decided in
 * order-model-refusals.ts.
 */
import type { Decision, MarketStatus } from "#engine/commands.ts";
import type { MarketStatusCause } from "#engine/events.ts";
import { followerOf, neverCrosses, type ModelMarket } from "./market-model.ts";
import { isText, type CommandOf, type Reasons } from "./model-parts.ts";
import { uncross } from "./order-model-auctions.ts";
import { endOrder } from "./order-model-ending.ts";
import {
  EXPIRY_MS_MAX,
  isOpen,
  setFree,
  type ModelExchange,
  type ModelOrder,
} from "./order-model-exchange.ts";
import { seePrice } from "./order-model-triggers.ts";

const DEFAULT_AUCTION_MS = 60_000;
const STATUSES: ReadonlySet<MarketStatus> = new Set<MarketStatus>([
  "preOpen",
  "auction",
  "trading",
  "postOnly",
  "cancelOnly",
  "halted",
  "closed",
]);

export function setMarketStatus(
  exchange: ModelExchange,
  command: CommandOf<"setMarketStatus">,
): Reasons {
  const { marketId, status, forMs, byAdmin, reason } = command;
  const reasons: Reasons = new Set();
  if (!STATUSES.has(status) || !isText(byAdmin, 64) || !isText(reason, 200)) {
    reasons.add("invalidCommand");
  }
  const isTime = Number.isSafeInteger(forMs) && forMs >= 0 && forMs <= EXPIRY_MS_MAX;
  if (!isTime || (forMs > 0 && followerOf(status) === undefined)) reasons.add("invalidDelay");
  const market = exchange.markets.find(({ id }) => id === marketId);
  if (market === undefined) reasons.add("unknownMarket");
  if (market === undefined || reasons.size > 0) return reasons;
  const untilMs = forMs === 0 ? 0 : exchange.nowMs + forMs;
  enterState(exchange, market, status, "admin", untilMs, { byAdmin, reason });
  return reasons;
}

export function endState(exchange: ModelExchange, market: ModelMarket): void {
  const next = followerOf(market.status) as MarketStatus;
  const auctionMs = market.terms.breaker?.auctionMs ?? DEFAULT_AUCTION_MS;
  enterState(exchange, market, next, "timer", next === "auction" ? market.untilMs + auctionMs : 0);
}

export function enterState(
  exchange: ModelExchange,
  market: ModelMarket,
  status: MarketStatus,
  cause: MarketStatusCause,
  untilMs: number,
  decision?: Decision,
): void {
  const before = market.status;
  exchange.events.push({
    type: "marketStatusChanged",
    marketId: market.id,
    status,
    cause,
    untilMs,
    ...(decision && { decision }),
  });
  if (neverCrosses(status) && !neverCrosses(before)) uncross(exchange, market);
  market.status = status;
  market.untilMs = untilMs;
  if (status === "closed") {
    const open = exchange.orders.filter((order) => order.market === market);
    for (const order of open.toSorted((a, b) => a.id - b.id)) {
      if (isOpen(exchange, order)) endOrder(exchange, order, "cancelled", "marketClosed");
    }
  }
  if (status !== "trading") return;
  market.window = undefined;
  if (market.last !== 0n) seePrice(exchange, market, market.last);
  const pending = exchange.orders
    .filter((order) => order.market === market && order.state === "pending" && !order.isQueued)
    .filter(({ list }) => list?.working === undefined)
    .filter((order) => order.list?.others[0] === order);
  for (const order of pending.toSorted((a, b) => listOf(a) - listOf(b))) setFree(exchange, order);
}

export function updateMarket(
  exchange: ModelExchange,
  { marketId, market: terms }: CommandOf<"updateMarket">,
): Reasons {
  const reasons: Reasons = new Set();
  const market = exchange.markets.find(({ id }) => id === marketId);
  if (market === undefined) return reasons.add("unknownMarket");
  const { lotUnits, status, symbol, tickLotUnits } = market.terms;
  const isSame =
    terms.lotUnits === lotUnits &&
    terms.tickLotUnits === tickLotUnits &&
    terms.symbol === symbol &&
    terms.status === status;
  const least = Math.max(1, terms.notionalMin);
  const isLarge = terms.notionalMax === undefined || terms.notionalMax >= least;
  const band = terms.priceBandBps;
  const isBand = band === undefined || (band >= 1 && band <= 9_999);
  const passive = terms.passiveBandBps;
  const isPassive =
    passive === undefined || (band !== undefined && passive >= band && passive <= 1_000_000);
  if (!isSame || !isLarge || !isBand || !isPassive) return reasons.add("invalidCommand");
  market.terms = terms;
  const version = ++market.version;
  exchange.events.push({ type: "marketUpdated", marketId, version, market: terms });
  return reasons;
}

const listOf = (order: ModelOrder): number => order.list?.id ?? 0;
