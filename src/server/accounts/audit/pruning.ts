/** Periodically deletes records past their retention. */
import type { Log } from "../../log.ts";
import type { SecurityEvents } from "./security-events.ts";

const DAY_MS = 86_400_000;
const PRUNED_EVERY_MS = 60 * 60 * 1000;

export function startPruningSecurityEvents(
  securityEvents: SecurityEvents,
  days: number,
  log: Log,
): { close(): void } {
  const prune = () => {
    securityEvents.prune(Date.now() - days * DAY_MS).then(
      (pruned) => {
        if (pruned > 0) log.info({ pruned }, "old security events were deleted");
      },
      (error: unknown) => log.error({ error: String(error) }, "security events were not pruned"),
    );
  };
  prune();
  const timer = setInterval(prune, PRUNED_EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}
