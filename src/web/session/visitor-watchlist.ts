/**
 * A visitor's watchlist, stored in this browser until sign-in, when it is merged into the user's
 * watchlist.
 */
import { useSyncExternalStore } from "react";

const STORAGE_KEY = "openbell.trade.favourites";
const NONE: readonly string[] = [];

let kept: readonly string[] | null = null;
const listeners = new Set<() => void>();

function read(): readonly string[] {
  kept ??= parse(readStored());
  return kept;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // The browser refuses access to storage.
    return null;
  }
}

function parse(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter((symbol) => typeof symbol === "string") : NONE;
  } catch {
    // Not JSON, such as another program's text under this key: the watchlist is empty.
    return NONE;
  }
}

function store(next: readonly string[]): void {
  kept = next;
  try {
    if (next.length === 0) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // Storage is unavailable: the watchlist lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export function toggleVisitorMarket(symbol: string): void {
  const list = read();
  store(list.includes(symbol) ? list.filter((each) => each !== symbol) : [...list, symbol]);
}

/** Removes the visitor's watchlist from this browser and returns it. */
export function takeVisitorWatchlist(): readonly string[] {
  const list = read();
  if (list.length > 0) store(NONE);
  return list;
}

/** Stores a watchlist again that could not be merged into the user's. */
export function restoreVisitorWatchlist(list: readonly string[]): void {
  store([...new Set([...list, ...read()])]);
}

export function useVisitorWatchlist(): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    () => NONE,
  );
}
