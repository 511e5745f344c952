/**
 * Whether new terms for transfers let less in or out than those before, so that one administrator may
 * set them at once, as in an emergency. Changes that let more through, or redirect payments, are
 * reserved for the operator's command line.
 */
import type { DeclaredCoin } from "#contract/catalogue.ts";
import { compareDecimals } from "#contract/decimal.ts";
import { fieldDifferences } from "./differences.ts";

type Terms = NonNullable<DeclaredCoin["transfers"]>;

export function areTighter(before: Terms | undefined, after: Terms | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const { networks, oneApprovalMax, withdrawalMax, ...others } = before;
  const { networks: nextNetworks, oneApprovalMax: alone, withdrawalMax: most, ...next } = after;
  return (
    fieldDifferences(others, next).length === 0 &&
    // Without it, two administrators must always decide.
    isAtMost(alone ?? "0", oneApprovalMax ?? "0") &&
    (withdrawalMax === undefined || (most !== undefined && isAtMost(most, withdrawalMax))) &&
    networks.length === nextNetworks.length &&
    networks.every((network, index) => isOpenLess(network, nextNetworks[index]))
  );
}

function isAtMost(next: string, before: string): boolean {
  return compareDecimals(next, before) <= 0;
}

/** Whether the network is the same, with deposits or withdrawals closed at most. */
function isOpenLess(
  { deposits, withdrawals, ...before }: Terms["networks"][number],
  { deposits: nextDeposits, withdrawals: nextWithdrawals, ...next }: Terms["networks"][number],
): boolean {
  return (
    fieldDifferences(before, next).length === 0 &&
    (deposits || !nextDeposits) &&
    (withdrawals || !nextWithdrawals)
  );
}
