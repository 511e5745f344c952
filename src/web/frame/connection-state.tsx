import type { ConvexQueryClient } from "@convex-dev/react-query";
import { useEffect, useState } from "react";
import { useConnection, type Connection } from "../session/connection.ts";
import { classNames } from "../ui/class-names.ts";

const LABELS = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  lost: "Disconnected",
} as const satisfies Record<Connection, string>;

const DOTS = {
  connecting: "bg-faint",
  live: "bg-buy",
  reconnecting: "bg-warn animate-pulse",
  lost: "bg-sell",
} as const satisfies Record<Connection, string>;

/** A dot and a word about the live connection. */
export function ConnectionIndicator({ backend }: { readonly backend: ConvexQueryClient }) {
  const connection = useConnection(backend);
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-muted">
      <span aria-hidden className={classNames("size-1.5 rounded-full", DOTS[connection])} />
      <span className="sr-only lg:not-sr-only">{LABELS[connection]}</span>
    </span>
  );
}

/** Short interruptions heal before anybody notices: the banner waits this long. */
const BANNER_AFTER_MS = 1500;

/** Says that what the page shows may be old, until the connection is back by itself. */
export function ConnectionBanner({ backend }: { readonly backend: ConvexQueryClient }) {
  const connection = useConnection(backend);
  const broken = connection === "reconnecting" || connection === "lost";
  return (
    <output className="block" aria-live="polite">
      {broken ? <LateBanner connection={connection} /> : null}
    </output>
  );
}

function LateBanner({ connection }: { readonly connection: Connection }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), BANNER_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <span className="flex min-h-8 flex-wrap items-center justify-center gap-x-3 border-b border-warn/30 bg-warn-soft px-4 py-1 text-xs text-warn">
      {connection === "lost" ? (
        <>
          Your session could not be renewed.
          <button
            type="button"
            className="rounded-sm font-medium underline underline-offset-2"
            onClick={() => window.location.reload()}
          >
            Reload page
          </button>
        </>
      ) : (
        "Connection lost. Reconnecting: what you see may be out of date."
      )}
    </span>
  );
}
