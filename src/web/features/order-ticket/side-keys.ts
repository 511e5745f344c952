import { Keyboard } from "lucide-react";
import { type Dispatch, type RefObject, useEffect, useSyncExternalStore } from "react";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";
import type { TicketAction } from "./ticket-state.ts";

/** Rarely opened. */
const ShortcutList = lazyComponent(() => import("./shortcut-list.tsx"));

const STORAGE_KEY = "openbell.trade.shortcuts";
const listeners = new Set<() => void>();

function isEnabled(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== "off";
}

export function useSideKeysEnabled(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isEnabled,
    () => true,
  );
}

export function toggleSideKeys(): void {
  localStorage.setItem(STORAGE_KEY, isEnabled() ? "off" : "on");
  for (const listener of listeners) listener();
}

/**
 * B and S choose the side wherever the focus is, except while the user types elsewhere or a dialog
 * is open. They can be turned off, as accessibility rules require of single-key shortcuts.
 */
export function useSideKeys(
  form: RefObject<HTMLElement | null>,
  dispatch: Dispatch<TicketAction>,
): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !isEnabled()) return;
      const key = event.key.toLowerCase();
      if (key !== "b" && key !== "s") return;
      const ticket = form.current;
      if (ticket === null || !isMeantForTicket(event.target, ticket)) return;
      event.preventDefault();
      dispatch({ type: "sideChosen", side: key === "b" ? "buy" : "sell" });
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [form, dispatch]);
}

function isMeantForTicket(target: EventTarget | null, ticket: HTMLElement): boolean {
  if (!(target instanceof HTMLElement)) return true;
  // The ticket's own fields hold numbers, so a letter typed there can only be a shortcut.
  if (ticket.contains(target)) return target.getAttribute("role") !== "combobox";
  if (
    target.closest(
      "input, textarea, select, [contenteditable], [role=combobox], [role=listbox]",
    ) !== null
  )
    return false;
  const dialog = document.querySelector("[role=dialog]:not([popover]), [popover]:popover-open");
  return dialog === null || dialog.contains(ticket);
}

/** The list of shortcuts, and the switch for the single-key ones. */
export function ShortcutHelp() {
  return (
    <Popover
      label="Keyboard shortcuts"
      triggerLabel="Keyboard shortcuts"
      trigger={<Keyboard className="size-4" aria-hidden />}
      triggerClassName="grid size-8 place-items-center rounded-md text-faint hover:bg-hover hover:text-text max-md:hidden"
      align="end"
      className="w-64 p-3 text-xs"
    >
      {() => (
        <PanelBoundary>
          <ShortcutList />
        </PanelBoundary>
      )}
    </Popover>
  );
}
