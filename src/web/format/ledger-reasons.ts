import type { LedgerReason } from "#contract/types.ts";

/** Labels of the reasons for which money moves. */
export const REASON_TEXTS: Readonly<Record<LedgerReason, string>> = {
  practiceFunds: "Practice funds",
  hold: "Set aside for an order or a withdrawal",
  release: "Released from an order or a withdrawal",
  trade: "Trade",
  makerFee: "Maker fee",
  takerFee: "Taker fee",
  planFee: "Plan fee",
  adjustment: "Adjustment",
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  withdrawalFee: "Withdrawal fee",
  dust: "Given up",
};
