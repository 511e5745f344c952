/**
 * The table of all keyboard shortcuts: key events are matched against it, and the help and the
 * command palette show it.
 */

export const SHORTCUT_GROUPS = ["Everywhere", "Trade", "Order ticket", "Order book"] as const;

interface Shortcut {
  readonly group: (typeof SHORTCUT_GROUPS)[number];
  /** `KeyboardEvent.key` in lower case; with `withControl`, pressed together with Ctrl or ⌘. */
  readonly key: string;
  readonly withControl?: true;
  readonly text: string;
  /** The key's label, if it differs from its name. */
  readonly shown?: string;
  /** Handled by the focused field or row; not listened for on the whole page. */
  readonly isLocal?: true;
}

export const SHORTCUTS = {
  palette: { group: "Everywhere", key: "k", withControl: true, text: "Search pages and actions" },
  help: { group: "Everywhere", key: "?", text: "Show these shortcuts" },
  chooseMarket: { group: "Trade", key: "m", text: "Choose a market" },
  previousMarket: { group: "Trade", key: "[", text: "Previous open market" },
  nextMarket: { group: "Trade", key: "]", text: "Next open market" },
  nextLayout: { group: "Trade", key: "l", text: "Next layout" },
  newestTrades: { group: "Trade", key: "n", text: "Newest trades" },
  buy: { group: "Order ticket", key: "b", text: "Buy" },
  sell: { group: "Order ticket", key: "s", text: "Sell" },
  send: {
    group: "Order ticket",
    key: "enter",
    shown: "Enter",
    text: "Send the order",
    isLocal: true,
  },
  clear: {
    group: "Order ticket",
    key: "escape",
    shown: "Esc",
    text: "Clear the size",
    isLocal: true,
  },
  step: {
    group: "Order ticket",
    key: "arrowup",
    shown: "↑ ↓",
    text: "Price by one tick, with Shift by ten",
    isLocal: true,
  },
  levels: {
    group: "Order book",
    key: "arrowup",
    shown: "↑ ↓ ← →",
    text: "Move between levels and columns",
    isLocal: true,
  },
  pick: {
    group: "Order book",
    key: "enter",
    shown: "Enter",
    text: "Use the price or the quantity",
    isLocal: true,
  },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof SHORTCUTS;

/** The entry of a shortcut, with all optional fields. */
export function shortcutOf(id: ShortcutId): Shortcut {
  return SHORTCUTS[id];
}

/** A shortcut as text: "Ctrl K", on a Mac "⌘ K". */
export function shownKeys(id: ShortcutId, isMac: boolean): string {
  const { key, shown = key.toUpperCase(), withControl } = shortcutOf(id);
  return withControl === true ? `${isMac ? "⌘" : "Ctrl"} ${shown}` : shown;
}

/** The fields of a keyboard event that are compared with the table. */
interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

/** Whether a key event is this shortcut. */
export function isShortcut(id: ShortcutId, event: PressedKey): boolean {
  const { key, withControl = false } = shortcutOf(id);
  if (event.repeat || event.key.toLowerCase() !== key) return false;
  // On some keyboards brackets require AltGr, which is reported as Ctrl and Alt.
  const isAltGr = event.ctrlKey && event.altKey && !withControl;
  if (isAltGr) return true;
  return !event.altKey && (event.ctrlKey || event.metaKey) === withControl;
}
