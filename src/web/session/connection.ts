import type { ConvexQueryClient } from "@convex-dev/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** `lost` also means that the session's token could not be renewed. */
export type Connection = "connecting" | "live" | "reconnecting" | "lost";

let tokenAbandoned = false;
const tokenListeners = new Set<() => void>();

/** Whether the token fetch was given up: the page then asks for a reload. */
export function setTokenAbandoned(abandoned: boolean): void {
  if (abandoned === tokenAbandoned) return;
  tokenAbandoned = abandoned;
  for (const listener of tokenListeners) listener();
}

/** State of the live connection, for the frame's indicator and banner. */
export function useConnection(backend: ConvexQueryClient): Connection {
  const subscribe = useCallback(
    (listener: () => void) => {
      const unsubscribe = backend.convexClient.subscribeToConnectionState(listener);
      tokenListeners.add(listener);
      return () => {
        unsubscribe();
        tokenListeners.delete(listener);
      };
    },
    [backend],
  );
  const read = useCallback((): Connection => {
    if (tokenAbandoned) return "lost";
    const state = backend.convexClient.connectionState();
    if (state.isWebSocketConnected) return "live";
    return state.hasEverConnected || state.connectionRetries > 0 ? "reconnecting" : "connecting";
  }, [backend]);
  return useSyncExternalStore(subscribe, read, () => "connecting");
}
