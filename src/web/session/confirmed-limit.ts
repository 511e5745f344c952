import { useConnectionWatch } from "./connection.ts";

/**
 * Half of the time that the exchange allows: the request may wait for a token and for the check of a code.
 */
const VALID_MS = 30_000;

/**
 * A function that returns the time limit of a request that is sent now, confirmed with a code: the
 * exchange refuses it later, however long it was on its way. Without a limit before the first heartbeat.
 */
export function useConfirmedLimit(): () => { readonly validUntil?: number } {
  const watch = useConnectionWatch();
  return () => {
    const nowMs = watch?.serverNowMs() ?? null;
    return nowMs === null ? {} : { validUntil: Math.floor(nowMs + VALID_MS) };
  };
}
