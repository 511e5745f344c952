import { useSyncExternalStore } from "react";

const STORAGE_KEY = "openbell.trade.favourites";
const NONE: ReadonlySet<string> = new Set();

let kept: ReadonlySet<string> | null = null;
const listeners = new Set<() => void>();

function read(): ReadonlySet<string> {
  kept ??= parse(localStorage.getItem(STORAGE_KEY));
  return kept;
}

function parse(text: string | null): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return new Set(
      Array.isArray(value) ? value.filter((symbol) => typeof symbol === "string") : [],
    );
  } catch {
    // Another program's text under our key: no favourites.
    return NONE;
  }
}

export function toggleFavourite(symbol: string): void {
  const next = new Set(read());
  if (!next.delete(symbol)) next.add(symbol);
  kept = next;
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...next]));
  for (const listener of listeners) listener();
}

/** Symbols of the favourite markets stored in this browser. */
export function useFavourites(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    () => NONE,
  );
}
