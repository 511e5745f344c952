import { expect, test } from "vitest";
import { isShortcut, SHORTCUTS, type ShortcutId, shownKeys } from "./shortcuts.ts";

const IDS = Object.keys(SHORTCUTS) as ShortcutId[];

function press(
  key: string,
  held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "repeat", true>> = {},
) {
  return { key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...held };
}

test("the palette opens with Ctrl or ⌘, and not by a letter alone", () => {
  expect(isShortcut("palette", press("k", { ctrlKey: true }))).toBe(true);
  expect(isShortcut("palette", press("K", { metaKey: true }))).toBe(true);
  expect(isShortcut("palette", press("k"))).toBe(false);
});

test("a single key leaves the browser's own combinations alone", () => {
  expect(isShortcut("buy", press("b"))).toBe(true);
  expect(isShortcut("buy", press("B"))).toBe(true);
  expect(isShortcut("buy", press("b", { ctrlKey: true }))).toBe(false);
  expect(isShortcut("buy", press("b", { altKey: true }))).toBe(false);
});

test("a key that is held down acts once", () => {
  expect(isShortcut("nextMarket", press("]", { repeat: true }))).toBe(false);
});

test("brackets may need AltGr", () => {
  expect(isShortcut("nextMarket", press("]", { ctrlKey: true, altKey: true }))).toBe(true);
});

test("no two shortcuts of the whole page share a key", () => {
  const keys = IDS.filter((id) => !("isLocal" in SHORTCUTS[id])).map((id) => shownKeys(id, false));
  expect(new Set(keys).size).toBe(keys.length);
});

test("keys are named as on the keyboard", () => {
  expect(shownKeys("palette", false)).toBe("Ctrl K");
  expect(shownKeys("palette", true)).toBe("⌘ K");
  expect(shownKeys("clear", false)).toBe("Esc");
});
