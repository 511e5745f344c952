/** Everything that the owner of a fill needs to check it without trusting the exchange's arithmetic. */
import type { Fill, LedgerEntry, Order } from "./types.ts";

export interface CoinScale {
  coin: string;
  /** Decimals of the coin in the ledger: the smallest unit is 10^-scale coins. */
  scale: number;
}

export interface FillProof {
  fill: Fill;
  /** The owner's order in its current state. */
  order: Order;
  base: CoinScale;
  quote: CoinScale;
  /** The ledger entries of this fill on the owner's account. */
  postings: LedgerEntry[];
}
