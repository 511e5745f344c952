/**
 * Runs work for a client even while it is throttled: requests that the server makes to itself while it
 * renders the client's page. The page had its turn; if its requests waited too, the page would occupy
 * a rendering slot for that time. The work is still charged, so that the client's next page waits.
 */
import type { ClientKey } from "./client-key.ts";
import type { WorkShares } from "./work-shares.ts";

/** How work is scheduled for clients. */
export type Turns = Pick<
  WorkShares,
  "run" | "schedule" | "charge" | "isThrottled" | "whenUnthrottled"
>;

export function immediateTurns(shares: WorkShares): Turns {
  return {
    run: (client, work) => shares.run(client, work),
    schedule: async (client, work) => shares.run(client, work),
    charge: (client: ClientKey, spentMs) => shares.charge(client, spentMs),
    isThrottled: () => false,
    whenUnthrottled: (_client, callback) => callback(),
  };
}
