/**
 * Whether the page's token could be renewed. If not, the page keeps its data and its viewer: an
 * unreachable server is no sign-out.
 */
import type { ConvexReactClient } from "convex/react";
import { sharedValue, useSharedValue } from "../ui/shared-value.ts";

/** Pause after a failed renewal unless something happens sooner, with ±50 % jitter. */
const RETRY_PAUSE_MS = 10_000;

const isAbandoned = sharedValue(false);
let endPause: (() => void) | null = null;

/** Records that the token request was abandoned, or succeeded again. */
export function setTokenAbandoned(abandoned: boolean): void {
  isAbandoned.set(abandoned);
}

export function useTokenAbandoned(): boolean {
  return useSharedValue(isAbandoned);
}

/** Starts another attempt now, at the user's request. */
export function tryAgain(): void {
  endPause?.();
}

/**
 * Resolves when another attempt may succeed: the network or the client's socket is back, the page is
 * visible again, the user asks, or the pause is over.
 */
export function waitToRetry(
  client: Pick<ConvexReactClient, "connectionState" | "subscribeToConnectionState">,
): Promise<void> {
  return new Promise((resolve) => {
    const ends = new AbortController();
    const { signal } = ends;
    let wasConnected = client.connectionState().isWebSocketConnected;
    const stopListening = client.subscribeToConnectionState(({ isWebSocketConnected }) => {
      if (isWebSocketConnected && !wasConnected) take();
      wasConnected = isWebSocketConnected;
    });
    const take = () => {
      ends.abort();
      stopListening();
      clearTimeout(timer);
      endPause = null;
      resolve();
    };
    const timer = setTimeout(take, RETRY_PAUSE_MS * (0.5 + Math.random()));
    endPause = take;
    window.addEventListener("online", take, { signal });
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && take(),
      { signal },
    );
  });
}
