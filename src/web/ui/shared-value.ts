/** Values that parts of the page share: components that show one are rendered again when it changes. */
import { useSyncExternalStore } from "react";

export interface SharedValue<Value> {
  /** The value on the server and during hydration. */
  readonly initial: Value;
  /** The current value. Call only in the browser. */
  readonly read: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** @param load finds the value with which the browser begins */
export function sharedValue<Value>(initial: Value, load = () => initial): SharedValue<Value> {
  const listeners = new Set<() => void>();
  let current: { readonly value: Value } | null = null;
  return {
    initial,
    read() {
      current ??= { value: load() };
      return current.value;
    },
    set(value) {
      current = { value };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * A choice of the viewer's that is stored in this browser.
 * @param key in the browser's storage
 * @param parse returns a valid value for any stored value; for `undefined` the initial one
 */
export function storedChoice<Value>(
  key: string,
  parse: (given: unknown) => Value,
): SharedValue<Value> {
  const choice = sharedValue(parse(undefined), () => parse(readStored(key)));
  return {
    ...choice,
    set(value) {
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // Storage is unavailable: the choice lasts until the page is left.
      }
      choice.set(value);
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

export function useSharedValue<Value>({ initial, read, subscribe }: SharedValue<Value>): Value {
  return useSyncExternalStore(subscribe, read, () => initial);
}
