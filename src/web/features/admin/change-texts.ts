import type { AdminChangeKind } from "#contract/users.ts";

export const CHANGE_TEXTS = {
  coin: "Coin",
  market: "Market terms",
  marketState: "Market state",
  schedule: "Schedule",
  plan: "Plan",
  planAssignment: "Assigned plan",
  freeze: "Freeze",
  adjustment: "Adjustment",
  transfer: "Deposit or withdrawal",
} as const satisfies Record<AdminChangeKind, string>;
