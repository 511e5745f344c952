/**
 * The simulated participants and their strategies. A participant sees a market as any user could
 * (reference price, last price, its own orders) and sends ordinary commands.
 *
 * Market makers keep a ladder of quotes around the reference price and replace misplaced quotes;
 * noise traders take liquidity and place small orders at random; trend followers trade with a move.
 *
 * Invariant: no participant trades further from the reference price than its orders allow: taker
 * orders have a limit price, regardless of the book and the last price.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, Side } from "#engine/commands.ts";
import { pricesWithin } from "#engine/markets/price-limits.ts";
import type { DeclaredParticipant } from "#contract/catalogue.ts";
import type { SimulatedMarket } from "../catalogue/markets.ts";
import type { ListedMarket, ParticipantOrder } from "./participant-orders.ts";
import type { Random } from "./random.ts";

/** The information about a market on which a participant decides. */
export interface MarketSight {
  readonly behaviour: SimulatedMarket;
  readonly listed: ListedMarket;
  /** In the settlement coin. */
  readonly referencePrice: number;
  /** Return of the last trade price over about half a minute. */
  readonly momentum: number;
  readonly ownOrders: readonly ParticipantOrder[];
  readonly nowMs: number;
}

export interface Participant {
  readonly userId: string;
  readonly declared: DeclaredParticipant;
  /** Mean number of decisions per second in a market. */
  decisionsPerSecond(market: SimulatedMarket): number;
  decide(account: number, sight: MarketSight, random: Random): Command[];
}

/**
 * How far from the reference price a taker order may trade, in usual half spreads of the market.
 */
const TAKER_HALF_SPREADS = 12;
const LEVELS_PER_SIDE = 16;
const REPLACEMENTS_MAX = 4;

function ticksOf(market: SimulatedMarket, price: number): number {
  return price * 10 ** market.priceDecimals;
}

/**
 * Lots worth about `value` in the settlement coin, in two digits: at least one, and at least the market's
 * minimum notional. People round their orders too, and a round number takes half as much of the journal.
 */
function lotsWorth(sight: MarketSight, value: number): Lots {
  const lotsPerCoin = 10 ** sight.behaviour.quantityDecimals;
  const lots = roundToTwoDigits((value / sight.referencePrice) * lotsPerCoin);
  const lotNotional =
    ticksOf(sight.behaviour, sight.referencePrice) * sight.listed.definition.tickLotUnits;
  const lotsMin = Math.ceil((sight.listed.definition.notionalMin / lotNotional) * 1.2);
  const lotsMax = sight.listed.definition.quantityLotsMax;
  return Math.min(lotsMax, Math.max(1, lotsMin, lots)) as Lots;
}

/** The nearest whole number with at most two digits before its zeros. */
function roundToTwoDigits(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.round(value / step) * step;
}

function order(
  account: number,
  sight: MarketSight,
  side: Side,
  timeInForce: "gtc" | "ioc",
  priceTicks: number,
  quantityLots: Lots,
): Command {
  return {
    type: "placeOrder",
    account,
    marketId: sight.listed.marketId,
    side,
    orderType: "limit",
    timeInForce,
    postOnly: timeInForce === "gtc",
    priceTicks: priceTicks as Ticks,
    quantityLots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  };
}

/**
 * The nearest price that the market accepts from an order of the side. After a trade far away,
 * quotes return to the reference price step by step, each as near as the band around earlier trades
 * allows.
 */
function withinBand(sight: MarketSight, side: Side, priceTicks: number): number {
  const { definition, lastPriceTicks } = sight.listed;
  const { priceBandBps, referenceTicks = 0 } = definition;
  const last = lastPriceTicks || referenceTicks;
  if (priceBandBps === undefined || last === 0) return priceTicks;
  const prices = (of: Side) =>
    sight.ownOrders.filter((own) => own.side === of).map((own) => own.priceTicks);
  const centre = Math.max(...prices("buy"), Math.min(...prices("sell"), last));
  const { lowestTicks, highestTicks } = pricesWithin(centre, priceBandBps);
  return side === "buy" ? Math.min(priceTicks, highestTicks) : Math.max(priceTicks, lowestTicks);
}

/** An order that takes liquidity near the reference price; its remainder expires. */
function take(account: number, sight: MarketSight, side: Side, quantityLots: Lots): Command {
  const away = sight.behaviour.halfSpread * TAKER_HALF_SPREADS;
  const exact = ticksOf(
    sight.behaviour,
    sight.referencePrice * (side === "buy" ? 1 + away : 1 - away),
  );
  const limitTicks = side === "buy" ? Math.ceil(exact) : Math.max(1, Math.floor(exact));
  return order(account, sight, side, "ioc", limitTicks, quantityLots);
}

type Strategy = Pick<Participant, "decide" | "decisionsPerSecond">;

/** A patience of 1 quotes at the best price, 2 twice as far away. */
function marketMaker({
  distancePercent = 100,
  pacePercent,
  sizePercent,
}: DeclaredParticipant): Strategy {
  const [pace, sizeFactor] = [pacePercent / 100, sizePercent / 100];
  const patience = distancePercent / 100;
  return {
    decisionsPerSecond: (market) => (0.12 + market.takersPerSecond * 0.22) * pace,
    decide(account, sight, random) {
      const commands: Command[] = [];
      const referenceTicks = ticksOf(sight.behaviour, sight.referencePrice);
      for (const side of ["buy", "sell"] as const) {
        const sign = side === "buy" ? -1 : 1;
        const levels = Array.from({ length: LEVELS_PER_SIDE }, (_, level) => {
          const spreads = patience * (1 + level * 1.1 + level ** 2 * 0.09);
          const exact = referenceTicks * (1 + sign * sight.behaviour.halfSpread * spreads);
          // Rounded outwards, so that one maker's bid and ask never cross on a coarse tick.
          const rounded = side === "buy" ? Math.floor(exact) - level : Math.ceil(exact) + level;
          return withinBand(sight, side, Math.max(1, rounded));
        });
        const spacing = Math.abs(levels[1] - levels[0]);
        const vacant = new Set(levels.keys());
        const misplaced: ParticipantOrder[] = [];
        for (const own of sight.ownOrders.filter((candidate) => candidate.side === side)) {
          const near = [...vacant].find((level) => {
            const tolerance = spacing * (0.7 + level * 0.16);
            return Math.abs(levels[level] - own.priceTicks) <= tolerance;
          });
          if (near === undefined) misplaced.push(own);
          else vacant.delete(near);
        }
        // Quotes on the wrong side of the reference price would be traded against first, so they
        // are replaced first.
        misplaced.sort((a, b) => sign * (a.priceTicks - b.priceTicks));
        for (const own of misplaced.slice(0, REPLACEMENTS_MAX)) {
          commands.push({ type: "cancelOrder", account, orderId: own.orderId });
        }
        const places = sight.ownOrders.length === 0 ? LEVELS_PER_SIDE : REPLACEMENTS_MAX;
        for (const level of [...vacant].slice(0, places)) {
          const depth = sizeFactor * (1 + level * 0.45) * Math.exp(0.5 * random.normal());
          const lots = lotsWorth(sight, sight.behaviour.takerValue * depth);
          commands.push(order(account, sight, side, "gtc", levels[level], lots));
        }
      }
      return commands;
    },
  };
}

const PASSIVE_SHARE = 0.2;
const PASSIVE_LIFE_MS = 45_000;

function noiseTrader({ pacePercent, sizePercent }: DeclaredParticipant): Strategy {
  const [share, size] = [pacePercent / 100, sizePercent / 100];
  return {
    decisionsPerSecond: (market) => market.takersPerSecond * share,
    decide(account, sight, random) {
      const commands: Command[] = sight.ownOrders
        .filter((own) => sight.nowMs - own.restedAtMs > PASSIVE_LIFE_MS)
        .map((own) => ({ type: "cancelOrder", account, orderId: own.orderId }));
      const side: Side = random.uniform() < 0.5 ? "buy" : "sell";
      const lots = lotsWorth(sight, random.exponential(sight.behaviour.takerValue) * size);
      if (random.uniform() < PASSIVE_SHARE && sight.ownOrders.length < 8) {
        const away = sight.behaviour.halfSpread * (0.6 + random.exponential(3));
        const price = sight.referencePrice * (side === "buy" ? 1 - away : 1 + away);
        const ticks = Math.max(1, Math.round(ticksOf(sight.behaviour, price)));
        commands.push(order(account, sight, side, "gtc", ticks, lots));
      } else {
        commands.push(take(account, sight, side, lots));
      }
      return commands;
    },
  };
}

function trendFollower({ pacePercent, sizePercent }: DeclaredParticipant): Strategy {
  const [pace, size] = [pacePercent / 100, sizePercent / 100];
  return {
    decisionsPerSecond: () => 0.08 * pace,
    decide(account, sight, random) {
      const threshold = sight.behaviour.dailyVolatility / 90;
      if (Math.abs(sight.momentum) < threshold) return [];
      const side: Side = sight.momentum > 0 ? "buy" : "sell";
      const value = sight.behaviour.takerValue * (0.5 + random.exponential(1.2)) * size;
      return [take(account, sight, side, lotsWorth(sight, value))];
    },
  };
}

const STRATEGIES = { marketMaker, noiseTrader, trendFollower } as const;

/** The declared participant with the strategy of its style. */
export function participantOf(declared: DeclaredParticipant): Participant {
  return {
    userId: `simulated:${declared.name}`,
    declared,
    ...STRATEGIES[declared.style](declared),
  };
}
