/**
 * Whether the page's session could be renewed. Where it could not, the page keeps what it shows and its
 * viewer: being unreachable is not being signed out.
 */
import { useSyncExternalStore } from "react";

/** How long a fetch that was given up rests, unless something happens; spread by half either way. */
const REST_MS = 10_000;

let isAbandoned = false;
const listeners = new Set<() => void>();
let chance: (() => void) | null = null;

/** The token fetch was given up, or succeeded again. */
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

/** The user asks for another try right now. */
export function tryAgain(): void {
  chance?.();
}

/** Waits until another try may succeed: the network is back, the page is looked at again, or a while passed. */
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
