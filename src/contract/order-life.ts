/** An order's whole life, as its owner sees it: from its placement to its end, with every posting. */
import type { CoinScale } from "./fill-proof.ts";
import type { Decimal, Fill, LedgerEntry, Order, PriceRange } from "./types.ts";

interface StepAt {
  readonly time: number;
  readonly sequence: number;
  /** What it did to the owner's balances. */
  readonly postings: readonly LedgerEntry[];
}

/** Terms that a step may change; null if the order has none. */
export interface ChangingTerms {
  readonly price: Decimal | null;
  readonly quantity: Decimal | null;
}

export type OrderStep = StepAt &
  (
    | { readonly kind: "placed"; readonly terms: ChangingTerms }
    /** From now on it waits; `price` is the trigger's, null if none is known yet. */
    | {
        readonly kind: "waiting";
        readonly waitsFor: "trigger" | "workingOrder";
        readonly price: Decimal | null;
      }
    /** Its trigger was reached, or its working order has filled; `last` is the market's last price. */
    | {
        readonly kind: "activated";
        readonly cause: "trigger" | "workingOrder";
        readonly last: Decimal | null;
      }
    | {
        readonly kind: "amended";
        readonly before: ChangingTerms;
        readonly after: ChangingTerms;
        readonly keptPlace: boolean;
      }
    /** It met an order of its owner, and both lost this quantity. */
    | { readonly kind: "decremented"; readonly quantity: Decimal }
    | { readonly kind: "filled"; readonly fill: Fill }
    | { readonly kind: "ended" }
  );

export interface OrderLife {
  readonly order: Order;
  /**
   * False while the history lacks the newest events of the account, which the order itself already
   * has: steps and linked orders may be missing until it is read again.
   */
  readonly isComplete: boolean;
  /** Oldest first. */
  readonly steps: readonly OrderStep[];
  /** Fills before the steps: of many, only the newest are among them. */
  readonly omittedFills: boolean;
  /** The other orders of its list, oldest first. */
  readonly linked: readonly Order[];
  /** The order that it replaced, and the one that replaced it. */
  readonly replaces: string | null;
  readonly replacedBy: string | null;
  /**
   * Between which prices its market traded while it was open, with the moments from and to which
   * that is known; null if that is too short.
   */
  readonly traded: (PriceRange & { readonly from: number; readonly to: number }) | null;
  readonly base: CoinScale;
  readonly quote: CoinScale;
}
