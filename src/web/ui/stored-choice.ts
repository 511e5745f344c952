/** The viewer's choices, stored in this browser and shared by all parts of the page. */
import { useSyncExternalStore } from "react";

export interface StoredChoice<Value> {
  /** The current value. Call only in the browser. */
  readonly read: () => Value;
  readonly save: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
  readonly initial: Value;
}

/**
 * A choice that is stored in this browser.
 * @param key in the browser's storage
 * @param parse returns a valid value for any stored value; for `undefined` the initial one
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
        // Storage is unavailable: the choice lasts until the page is left.
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
    // Storage is unavailable, or the text is not JSON, such as another program's under this key.
    return undefined;
  }
}

/** The choice's value; the initial one on the server and during hydration. */
export function useStoredChoice<Value>(choice: StoredChoice<Value>): Value {
  return useSyncExternalStore(choice.subscribe, choice.read, () => choice.initial);
}
