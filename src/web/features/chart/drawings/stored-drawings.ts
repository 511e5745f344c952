/** The viewer's drawings by market as text, stored in this browser by user. */
import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** The place of a user's drawings in one market. */
export function drawingsKey(userId: string | null, market: string): string {
  return `openbell.trade.drawings.${userId ?? "visitor"}.${market}`;
}

/** null deletes them. */
export function storeDrawings(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** null if there are none. */
export function useStoredDrawings(key: string): string | null {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => localStorage.getItem(key), [key]),
    () => null,
  );
}
