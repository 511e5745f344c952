/** The modes of self-trade prevention, as the ticket offers and orders name them. */
import type { SelfTradePrevention } from "./enumerations.ts";

export const SELF_TRADE_NAMES: Record<SelfTradePrevention, string> = {
  expireTaker: "expire taker",
  expireMaker: "expire maker",
  expireBoth: "expire both",
  decrement: "decrement",
};
