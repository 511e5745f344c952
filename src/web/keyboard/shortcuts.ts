/**
 * Every keyboard shortcut of the pages: the one table that keys are matched by and that the help
 * and the command palette show.
 */

export const SHORTCUT_GROUPS = ["Everywhere", "Trade", "Order ticket", "Order book"] as const;

interface Shortcut {
  readonly group: (typeof SHORTCUT_GROUPS)[number];
  /** As KeyboardEvent.key names it, in lower case; with `withControl` together with Ctrl or ⌘. */
  readonly key: string;
  readonly withControl?: true;
  readonly text: string;
  /** How the key is shown, if not by its name. */
  readonly shown?: string;
  /** Belongs to a field or a list that has the focus: nothing listens for it on the whole page. */
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

/** For code that treats all shortcuts alike. */
export function shortcutOf(id: ShortcutId): Shortcut {
  return SHORTCUTS[id];
}

/** The keys as people read them: "Ctrl K", on a Mac "⌘ K". */
export function shownKeys(id: ShortcutId, isMac: boolean): string {
  const { key, shown = key.toUpperCase(), withControl } = shortcutOf(id);
  return withControl === true ? `${isMac ? "⌘" : "Ctrl"} ${shown}` : shown;
}

/** What a pressed key must carry to be compared with the table. */
interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

/** Whether the key that was pressed is this shortcut. */
export function isShortcut(id: ShortcutId, event: PressedKey): boolean {
  const { key, withControl = false } = shortcutOf(id);
  if (event.repeat || event.key.toLowerCase() !== key) return false;
  // Some keyboards need AltGr, which is reported as Ctrl and Alt, for brackets.
  const isAltGr = event.ctrlKey && event.altKey && !withControl;
  if (isAltGr) return true;
  return !event.altKey && (event.ctrlKey || event.metaKey) === withControl;
}
