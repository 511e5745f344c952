import type { CoinStatus } from "#contract/enumerations.ts";

/** A coin's status in words, such as "Deposit only". */
export function coinStatusText(status: CoinStatus): string {
  return status[0].toUpperCase() + status.slice(1).replace("Only", " only");
}
