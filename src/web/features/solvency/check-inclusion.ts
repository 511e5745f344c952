/** Verifies in the browser that the signed-in user's balances are included in the published sums. */
import { formatDecimal } from "#contract/decimal.ts";
import {
  InclusionError,
  type InclusionProof,
  type SolvencyReport,
  verifyInclusion,
} from "#contract/solvency.ts";
import type { Decimal } from "#contract/types.ts";

export interface IncludedBalance {
  readonly coin: string;
  readonly amount: Decimal;
}

/**
 * @returns the balances verified to be included, without zeros
 * @throws InclusionError if the proof does not lead to the report's root and sums
 */
export async function checkInclusion(
  proof: InclusionProof,
  report: SolvencyReport,
): Promise<readonly IncludedBalance[]> {
  // Browsers provide Web Crypto on https and localhost only.
  if (globalThis.crypto?.subtle === undefined) {
    throw new InclusionError("Your browser can check this on https pages only.");
  }
  const { balances, totals } = await verifyInclusion(proof, report.liabilities.root, sha256);
  report.coins.forEach(({ coin, people, scale }, at) => {
    if (proof.coins[at]?.coin !== coin || formatDecimal(totals[at], scale) !== people) {
      throw new InclusionError(`The proof leads to another sum of ${coin} than the one published.`);
    }
  });
  return proof.coins
    .map(({ coin, scale }, at) => ({ coin, amount: formatDecimal(balances[at], scale) }))
    .filter((_, at) => balances[at] > 0n);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
