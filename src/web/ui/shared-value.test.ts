import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storedChoice } from "./shared-value.ts";

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  });
});
afterEach(() => vi.unstubAllGlobals());

const sizeOf = (given: unknown): number => (typeof given === "number" ? given : 7);

test("a choice is stored, and told to those who listen", () => {
  const choice = storedChoice("size", sizeOf);
  const listener = vi.fn();
  const stop = choice.subscribe(listener);
  expect(choice.read()).toBe(7);
  choice.set(9);
  expect(choice.read()).toBe(9);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(storedChoice("size", sizeOf).read()).toBe(9);
  stop();
  choice.set(1);
  expect(listener).toHaveBeenCalledTimes(1);
});

test("a text that is not ours gives the initial choice", () => {
  stored.set("size", "{half");
  expect(storedChoice("size", sizeOf).read()).toBe(7);
  stored.set("size", '"nine"');
  expect(storedChoice("size", sizeOf).read()).toBe(7);
});

test("a browser without storage remembers a choice until the page is left", () => {
  vi.stubGlobal("localStorage", {
    getItem() {
      throw new Error("refused");
    },
    setItem() {
      throw new Error("refused");
    },
  });
  const choice = storedChoice("size", sizeOf);
  expect(choice.read()).toBe(7);
  choice.set(3);
  expect(choice.read()).toBe(3);
});
