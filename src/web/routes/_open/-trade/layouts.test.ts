import { afterEach, beforeEach, expect, test, vi } from "vitest";

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  });
});
afterEach(() => vi.unstubAllGlobals());

const { chooseLayout, chooseNextLayout, parseWorkspace, resetLayout, resizePanel, workspace } =
  await import("./layouts.ts");

test("each layout remembers its own sizes, and gets its first ones back", () => {
  chooseLayout("standard");
  resizePanel("book", 320);
  chooseLayout("tape");
  resizePanel("panels", 200);
  expect(workspace.read().sizes).toMatchObject({ standard: { book: 320 }, tape: { panels: 200 } });
  resetLayout();
  expect(workspace.read().sizes).toMatchObject({ standard: { book: 320 }, tape: {} });
  chooseLayout("standard");
  resizePanel("book", undefined);
  expect(workspace.read().sizes.standard).toEqual({});
});

test("the layouts follow one another in a circle", () => {
  chooseLayout("standard");
  const seen = [1, 2, 3, 4].map(() => {
    chooseNextLayout();
    return workspace.read().layout;
  });
  expect(seen).toEqual(["chart", "book", "tape", "standard"]);
});

test("a stored layout that makes no sense is the standard one with its own sizes", () => {
  expect(parseWorkspace(null).layout).toBe("standard");
  expect(
    parseWorkspace({ layout: "sideways", sizes: { book: { book: "wide", tape: 9 } } }),
  ).toEqual({
    layout: "standard",
    sizes: { standard: {}, chart: {}, book: { tape: 9 }, tape: {} },
  });
});
