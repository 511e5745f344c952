import { expect, test } from "vitest";
import { perFrame } from "./frame-store.ts";

function set() {
  const listeners = new Set<() => void>();
  const frames: (() => void)[] = [];
  let value = 0;
  const store = perFrame<number>(
    {
      read: () => value,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    (task) => frames.push(task),
  );
  return {
    store,
    change: (next: number) => {
      value = next;
      for (const listener of listeners) listener();
    },
    frame: () => frames.splice(0).forEach((task) => task()),
  };
}

test("a burst of changes is shown once, at the next frame", () => {
  const { store, change, frame } = set();
  let shown = 0;
  store.subscribe(() => (shown += 1));
  change(1);
  change(2);
  expect(store.read()).toBe(0);
  frame();
  expect([shown, store.read()]).toEqual([1, 2]);
});

test("an unchanged value disturbs no one", () => {
  const { store, change, frame } = set();
  let shown = 0;
  store.subscribe(() => (shown += 1));
  change(1);
  change(0);
  frame();
  expect(shown).toBe(0);
});

test("a change between the first reading and the subscription is not missed", () => {
  const { store, change } = set();
  change(5);
  store.subscribe(() => undefined);
  expect(store.read()).toBe(5);
});

test("no one is called after leaving", () => {
  const { store, change, frame } = set();
  let shown = 0;
  const leave = store.subscribe(() => (shown += 1));
  change(1);
  leave();
  frame();
  expect(shown).toBe(0);
});
