/** Stores the viewer's drawings as text in this browser, by user and market. */
import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Storage key of a user's drawings in one market. */
export function drawingsKey(userId: string | null, market: string): string {
  return `openbell.trade.drawings.${userId ?? "visitor"}.${market}`;
}

/** Stores the drawings' text; null deletes it. */
export function storeDrawings(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stored text of the drawings, kept up to date; null if there is none. */
export function useStoredDrawings(key: string): string | null {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => localStorage.getItem(key), [key]),
    () => null,
  );
}
