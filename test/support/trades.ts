/** Hand-made trade events, for what is folded from trades alone. */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { EventOf } from "#engine/events.ts";

let lastTradeId = 0;

/** A trade between two arbitrary accounts, by default in market 1. */
export function traded(changes: {
  readonly timestampMs: number;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly marketId?: number;
  readonly takerSide?: "buy" | "sell";
}): EventOf<"traded"> {
  const { priceTicks, quantityLots } = changes;
  lastTradeId += 1;
  return {
    type: "traded",
    sequence: lastTradeId,
    marketId: 1,
    tradeId: lastTradeId,
    takerSide: "buy",
    notional: (priceTicks * quantityLots) as Amount,
    baseAmount: quantityLots as Amount,
    makerOrderId: 1,
    takerOrderId: 2,
    makerAccount: 16,
    takerAccount: 17,
    makerFee: 0 as Amount,
    takerFee: 0 as Amount,
    makerRemainingLots: 0 as Lots,
    takerReleased: 0 as Amount,
    ...changes,
    priceTicks: priceTicks as Ticks,
    quantityLots: quantityLots as Lots,
  };
}
