import { formatSpan } from "../format/time.ts";
import { useConnection, useDataAge } from "../session/connection.ts";
import type { Connection } from "../session/connection-state.ts";
import { tryAgain, useTokenAbandoned } from "../session/session-renewal.ts";
import { classNames } from "../ui/class-names.ts";

const STATE_LABELS = {
  connecting: "Connecting",
  live: "Live",
  stale: "No answer",
  offline: "Offline",
  reconnecting: "Reconnecting",
} as const satisfies Record<Connection["kind"], string>;

const DOTS = {
  connecting: "bg-faint",
  live: "bg-buy",
  stale: "bg-warn animate-pulse",
  offline: "bg-sell",
  reconnecting: "bg-warn animate-pulse",
} as const satisfies Record<Connection["kind"], string>;

/** Shows the state of the live connection as a dot and a word. */
export function ConnectionIndicator() {
  const { kind } = useConnection();
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-muted">
      <span aria-hidden className={classNames("size-1.5 rounded-full", DOTS[kind])} />
      <span className="sr-only lg:not-sr-only">{STATE_LABELS[kind]}</span>
    </span>
  );
}

const STATE_TEXTS = {
  connecting: "Still connecting.",
  stale: "The exchange does not answer.",
  offline: "You are offline.",
  reconnecting: "Connection lost. Reconnecting.",
} as const satisfies Record<Exclude<Connection["kind"], "live">, string>;

/**
 * Warns of stale data until the connection is restored. It lies over the page, in the margin below the top bar and
 * on phones above the bottom bars, because a page that moves is pressed in the wrong place.
 */
export function ConnectionBanner() {
  const { kind } = useConnection();
  const isAbandoned = useTokenAbandoned();
  // No banner for short interruptions: until the data has this age they usually recover.
  const ageMs = useDataAge();
  const sentence = kind === "live" || ageMs === null ? null : STATE_TEXTS[kind];
  return (
    <output
      className="pointer-events-none fixed inset-x-2 z-20 flex justify-center max-md:bottom-17 max-md:[html:has([data-order-bar])_&]:bottom-32 md:top-[calc(3rem+var(--banner))]"
      aria-live="polite"
    >
      {sentence !== null || isAbandoned ? (
        <span className="flex min-h-6 flex-wrap items-center justify-center gap-x-3 rounded-b-md border border-warn/40 bg-raised px-3 text-xs text-warn max-md:rounded-md">
          <span>
            {isAbandoned ? "Your session could not be renewed. Trying again." : sentence}
            <span className="max-sm:sr-only"> What you see may be out of date.</span>
          </span>
          {isAbandoned ? (
            <button
              type="button"
              className="pointer-events-auto rounded-sm font-medium underline underline-offset-2"
              onClick={tryAgain}
            >
              Try now
            </button>
          ) : null}
          {/* Hidden from screen readers: it changes every second. */}
          {ageMs === null ? null : (
            <span aria-hidden className="figures">
              {formatSpan(ageMs)} old
            </span>
          )}
        </span>
      ) : null}
    </output>
  );
}
