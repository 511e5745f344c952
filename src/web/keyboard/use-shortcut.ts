import { type RefObject, useEffect, useEffectEvent } from "react";
import { storedChoice } from "../ui/stored-choice.ts";
import { isShortcut, shortcutOf, type ShortcutId } from "./shortcuts.ts";

/** Accessibility rules require that single-key shortcuts can be turned off. */
export const singleKeys = storedChoice<"on" | "off">("openbell.shortcuts", (given) =>
  given === "off" ? "off" : "on",
);

const FIELDS = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox]";
/** What lies over the page and has the keyboard; a tooltip has not. */
const OVERLAYS = "[role=dialog]:not([popover]), [popover]:not([role=tooltip]):popover-open";

/**
 * Runs when the shortcut is pressed, wherever the focus is, except while the user types or something
 * lies over the page.
 * @param numbers contains number fields, in which a letter can only be a shortcut
 */
export function useShortcut(
  id: ShortcutId,
  run: () => void,
  numbers?: RefObject<HTMLElement | null>,
): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isShortcut(id, event)) return;
    if (!isMeant(id, event.target, numbers?.current ?? null)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => listen(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isMeant(id: ShortcutId, target: EventTarget | null, numbers: HTMLElement | null): boolean {
  const overlay = document.querySelector(OVERLAYS);
  const isBelow = overlay !== null && (numbers === null || !overlay.contains(numbers));
  if (isBelow) return false;
  if (shortcutOf(id).withControl === true) return true;
  if (singleKeys.read() === "off") return false;
  if (!(target instanceof HTMLElement)) return true;
  if (numbers?.contains(target) === true) {
    return target.closest("select, [role=combobox], [type=datetime-local]") === null;
  }
  return target.closest(FIELDS) === null;
}
