import { useRouteContext } from "@tanstack/react-router";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { Connection } from "./connection-state.ts";
import { type ConnectionWatch, watchOf } from "./connection-watch.ts";
import { READ_ONLY_SENTENCE, useIsReadOnly } from "./read-only.ts";

const CONNECTING: Connection = { kind: "connecting", sinceMs: 0 };
const subscribeToNothing = () => () => undefined;
const AGE_TICK_MS = 1_000;
/** Minimum age that is shown: a new page's data is as old as its rendering. */
const AGE_MS_MIN = 2_500;

/** The page's connection watch; undefined while rendering on the server. */
export function useConnectionWatch(): ConnectionWatch | undefined {
  const { connection } = useRouteContext({ from: "__root__" });
  return connection === undefined ? undefined : watchOf(connection);
}

/** The state of the live connection; rerenders when it changes. */
export function useConnection(): Connection {
  const watch = useConnectionWatch();
  return useSyncExternalStore(
    watch?.subscribe ?? subscribeToNothing,
    watch?.read ?? (() => CONNECTING),
    () => CONNECTING,
  );
}

const CUT_OFF_SENTENCES = {
  connecting: "Connecting to the exchange…",
  stale: "The exchange does not answer. Nothing can be sent until it does.",
  offline: "You are offline. Nothing can be sent until you are connected.",
  reconnecting: "The connection is lost. Nothing can be sent until it is back.",
} as const satisfies Record<Exclude<Connection["kind"], "live">, string>;

/** The reason why no request can be sent now; null if requests can be sent. */
export function useCutOff(): string | null {
  const { kind } = useConnection();
  if (useIsReadOnly()) return READ_ONLY_SENTENCE;
  return kind === "live" ? null : CUT_OFF_SENTENCES[kind];
}

/** Whether the page's data is so old that it must be marked as stale. */
export function useIsStale(): boolean {
  const watch = useConnectionWatch();
  const isLive = useConnection().kind === "live";
  const [isOld, setIsOld] = useState(false);
  useEffect(() => {
    if (isLive || watch === undefined) return undefined;
    const timer = setTimeout(() => setIsOld(true), Math.max(0, AGE_MS_MIN - watch.ageMs()));
    return () => {
      clearTimeout(timer);
      setIsOld(false);
    };
  }, [isLive, watch]);
  return isOld && !isLive;
}

/** Milliseconds since the page's data was last known to be current; null while it is. */
export function useDataAge(): number | null {
  const watch = useConnectionWatch();
  const isLive = useConnection().kind === "live";
  const [ageMs, setAgeMs] = useState(0);
  useEffect(() => {
    if (isLive || watch === undefined) return undefined;
    const read = () => setAgeMs(watch.ageMs());
    read();
    const ticking = setInterval(read, AGE_TICK_MS);
    return () => {
      clearInterval(ticking);
      setAgeMs(0);
    };
  }, [isLive, watch]);
  return isLive || ageMs < AGE_MS_MIN ? null : ageMs;
}
