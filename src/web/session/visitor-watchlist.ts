/** The watchlist of a visitor, kept in this browser until it joins the account's at sign-in. */
import { useSyncExternalStore } from "react";

const STORAGE_KEY = "openbell.trade.favourites";
const NONE: readonly string[] = [];

let kept: readonly string[] | null = null;
const listeners = new Set<() => void>();

function read(): readonly string[] {
  kept ??= parse(stored());
  return kept;
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // A browser may refuse access to storage.
    return null;
  }
}

function parse(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter((symbol) => typeof symbol === "string") : NONE;
  } catch {
    // Another program's text under our key: nothing is watched.
    return NONE;
  }
}

function store(next: readonly string[]): void {
  kept = next;
  try {
    if (next.length === 0) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // It lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export function toggleVisitorMarket(symbol: string): void {
  const list = read();
  store(list.includes(symbol) ? list.filter((each) => each !== symbol) : [...list, symbol]);
}

/** Removes and returns the browser's list. */
export function takeVisitorWatchlist(): readonly string[] {
  const list = read();
  if (list.length > 0) store(NONE);
  return list;
}

/** Returns a list that could not join the account's. */
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
