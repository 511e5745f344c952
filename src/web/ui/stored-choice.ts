/** Choices of the viewer that are stored in this browser and shared by every part of the page. */
import { useSyncExternalStore } from "react";

export interface StoredChoice<Value> {
  /** In the browser only. */
  readonly read: () => Value;
  readonly save: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
  readonly initial: Value;
}

/**
 * @param key of the browser's storage
 * @param parse makes a valid value of whatever is stored; `undefined` gives the initial one
 */
export function storedChoice<Value>(
  key: string,
  parse: (given: unknown) => Value,
): StoredChoice<Value> {
  const initial = parse(undefined);
  const listeners = new Set<() => void>();
  let current: { readonly value: Value } | null = null;
  return {
    initial,
    read() {
      current ??= { value: parse(readStored(key)) };
      return current.value;
    },
    save(value) {
      current = { value };
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // A browser may refuse storage: the choice then lasts until the page is left.
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readStored(key: string): unknown {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // No access to storage, or another program's text under our key.
    return undefined;
  }
}

/** The initial value on the server and during hydration. */
export function useStoredChoice<Value>(choice: StoredChoice<Value>): Value {
  return useSyncExternalStore(choice.subscribe, choice.read, () => choice.initial);
}
