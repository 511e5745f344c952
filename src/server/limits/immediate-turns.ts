/**
 * For work that must not wait although its client rests: what the server asks itself while it renders
 * a client's page. The page had its turn; if its parts rested too, it would occupy a place among the
 * pages being rendered meanwhile. The work is charged all the same, so the client's next page waits.
 */
import type { ClientKey } from "./client-key.ts";
import type { WorkShares } from "./work-shares.ts";

/** How work is done for clients, and when. */
export type Turns = Pick<WorkShares, "run" | "schedule" | "charge" | "isResting" | "whenRested">;

export function immediateTurns(shares: WorkShares): Turns {
  return {
    run: (client, work) => shares.run(client, work),
    schedule: async (client, work) => shares.run(client, work),
    charge: (client: ClientKey, spentMs) => shares.charge(client, spentMs),
    isResting: () => false,
    whenRested: (_client, callback) => callback(),
  };
}
