/** The whole life of an order as its owner sees it: from placement to end, with every posting. */
import type { CoinScale } from "./fill-proof.ts";
import type { Decimal, Fill, LedgerEntry, Order, PriceRange } from "./types.ts";

interface StepAt {
  readonly time: number;
  readonly sequence: number;
  /** The ledger entries of the step on the owner's account. */
  readonly postings: readonly LedgerEntry[];
}

/** The terms that a step may change; null if the order does not have them. */
export interface ChangingTerms {
  readonly price: Decimal | null;
  readonly quantity: Decimal | null;
  // The fields below are present where an amendment may have changed them: of orders that wait.
  readonly quoteAmount?: Decimal;
  readonly triggerPrice?: Decimal;
  readonly trailBps?: number;
}

export type OrderStep = StepAt &
  (
    | { readonly kind: "placed"; readonly terms: ChangingTerms }
    /** The order waits from now on; `price` is the trigger price, null if not known yet. */
    | {
        readonly kind: "waiting";
        readonly waitsFor: "trigger" | "workingOrder";
        readonly price: Decimal | null;
      }
    /**
     * The order's trigger was reached, or its working order has filled; `last` is the market's last
     * price.
     */
    | {
        readonly kind: "activated";
        readonly cause: "trigger" | "workingOrder";
        readonly last: Decimal | null;
      }
    | {
        readonly kind: "amended";
        readonly before: ChangingTerms;
        readonly after: ChangingTerms;
        /** Null if the order was in no queue. */
        readonly keptPlace: boolean | null;
      }
    /** The order met another of its owner's, and both lost this quantity. */
    | { readonly kind: "decremented"; readonly quantity: Decimal }
    | { readonly kind: "filled"; readonly fill: Fill }
    | { readonly kind: "ended" }
  );

export interface OrderLife {
  readonly order: Order;
  /**
   * False while the history lacks the newest events of the account, which the order itself already
   * includes: steps and linked orders may be missing until it is read again.
   */
  readonly isComplete: boolean;
  /** All steps, oldest first. */
  readonly steps: readonly OrderStep[];
  /** Whether older fills are left out of the steps, which contain only the newest. */
  readonly omittedFills: boolean;
  /** The other orders of the same list, oldest first. */
  readonly linked: readonly Order[];
  /** The order that this one replaced, and the order that replaced this one. */
  readonly replaces: string | null;
  readonly replacedBy: string | null;
  /**
   * The price range in which the market traded while the order was open, with the period for which
   * the range is known; null if that period is too short.
   */
  readonly tradedRange: (PriceRange & { readonly from: number; readonly to: number }) | null;
  readonly base: CoinScale;
  readonly quote: CoinScale;
}
