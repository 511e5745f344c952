/**
 * Whether the page's session could be renewed. If not, the page keeps its data and its viewer:
 * being unreachable is not being signed out.
 */
import { useSyncExternalStore } from "react";

/** Pause after an abandoned fetch unless something happens; spread by half either way. */
const REST_MS = 10_000;

let isAbandoned = false;
const listeners = new Set<() => void>();
let chance: (() => void) | null = null;

/** The token fetch was abandoned, or succeeded again. */
export function setTokenAbandoned(abandoned: boolean): void {
  if (abandoned === isAbandoned) return;
  isAbandoned = abandoned;
  for (const listener of listeners) listener();
}

export function useTokenAbandoned(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isAbandoned,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The user requests another attempt now. */
export function tryAgain(): void {
  chance?.();
}

/** Waits until another attempt may succeed: network back, page visible again, or time passed. */
export function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const ends = new AbortController();
    const { signal } = ends;
    const take = () => {
      ends.abort();
      clearTimeout(timer);
      chance = null;
      resolve();
    };
    const timer = setTimeout(take, REST_MS * (0.5 + Math.random()));
    chance = take;
    window.addEventListener("online", take, { signal });
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && take(),
      { signal },
    );
  });
}
