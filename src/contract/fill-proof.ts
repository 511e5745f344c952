/** Everything that the owner of a fill needs to check it without trusting the exchange's arithmetic. */
import type { Fill, LedgerEntry, Order } from "./types.ts";

export interface CoinScale {
  coin: string;
  /** Ledger decimals: the smallest unit is 10^-scale coins. */
  scale: number;
}

export interface FillProof {
  fill: Fill;
  /** The owner's order in its present state. */
  order: Order;
  base: CoinScale;
  quote: CoinScale;
  /** The entries of this fill in the owner's balances. */
  postings: LedgerEntry[];
}
