/**
 * Dust: a remainder of a funded coin that its owner can never withdraw. It would permanently prevent
 * the deletion of the account, so its owner may give it to the house.
 */
import { isAmount } from "../amount.ts";
import { supplyChanged } from "../accounts/balance-limit.ts";
import { HOUSE_ACCOUNT } from "../accounts/postings.ts";
import type { CommandOf } from "../commands.ts";
import type { Outcome } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { termsOf } from "./transfer-steps.ts";
import type { TransferTerms } from "./transfer-terms.ts";

/** Whether an account's total of a coin, available and held, is too small for the smallest withdrawal. */
export function isDust({ withdrawalFee, withdrawalMin }: TransferTerms, owned: number): boolean {
  return owned > 0 && owned < Math.max(1, withdrawalMin) + withdrawalFee;
}

export function forfeitDust(
  state: EngineState,
  { account, assetId, amount }: CommandOf<"forfeitDust">,
): Outcome {
  const terms = termsOf(state, account, assetId);
  if (typeof terms === "string") return terms;
  if (state.accounts.isFrozen(account)) return "accountFrozen";
  const { ledger } = state;
  if (!isAmount(amount) || amount === 0) return "invalidAmount";
  // An amount that the owner was not shown is not given up.
  if (amount !== ledger.available(account, assetId)) return "invalidAmount";
  if (!isDust(terms, amount + ledger.held(account, assetId))) return "notDust";
  ledger.transfer(account, HOUSE_ACCOUNT, assetId, amount);
  supplyChanged(state, assetId);
  state.events.rare({ type: "dustForfeited", account, assetId, amount });
  return "accepted";
}
