import { type RefObject, useEffect, useEffectEvent } from "react";
import { storedChoice } from "../ui/shared-value.ts";
import { isShortcut, shortcutOf, type ShortcutId } from "./shortcuts.ts";

/**
 * Whether single-key shortcuts are on. Accessibility rules (WCAG 2.1.4) require that they can be
 * turned off.
 */
export const singleKeys = storedChoice<"on" | "off">("openbell.shortcuts", (given) =>
  given === "off" ? "off" : "on",
);

const FIELDS = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox]";
/** Elements that cover the page and take keyboard input; a tooltip does not. */
const OVERLAYS = "[role=dialog]:not([popover]), [popover]:not([role=tooltip]):popover-open";

/**
 * Calls `run` when the shortcut is pressed, wherever the focus is, except while the user types or
 * an overlay is open.
 * @param numbers an element whose number fields do not suppress the shortcut: in them a letter can
 * be nothing else
 */
export function useShortcut(
  id: ShortcutId,
  run: () => void,
  numbers?: RefObject<HTMLElement | null>,
): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isShortcut(id, event)) return;
    if (!isApplicable(id, event.target, numbers?.current ?? null)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => listen(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isApplicable(
  id: ShortcutId,
  target: EventTarget | null,
  numbers: HTMLElement | null,
): boolean {
  const overlay = document.querySelector(OVERLAYS);
  const isCovered = overlay !== null && (numbers === null || !overlay.contains(numbers));
  if (isCovered) return false;
  if (shortcutOf(id).withControl === true) return true;
  if (singleKeys.read() === "off") return false;
  if (!(target instanceof HTMLElement)) return true;
  if (numbers?.contains(target) === true) {
    return target.closest("select, [role=combobox], [type=datetime-local]") === null;
  }
  return target.closest(FIELDS) === null;
}
