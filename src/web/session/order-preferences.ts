/**
 * When an order has to be confirmed before it is sent, by its kind and by how far its price is from
 * the market. Stored in this browser.
 */
import { useSyncExternalStore } from "react";

/** The kinds of orders, and whether each is confirmed by default. */
export const CONFIRMABLE_KINDS = [
  { kind: "limit", label: "Limit orders", asksByDefault: false },
  { kind: "market", label: "Market orders", asksByDefault: false },
  { kind: "triggered", label: "Stop, take-profit and trailing orders", asksByDefault: true },
  { kind: "linked", label: "OCO and orders with exits", asksByDefault: true },
] as const;
export type ConfirmableKind = (typeof CONFIRMABLE_KINDS)[number]["kind"];

/**
 * Percent by which an order's price may be worse than the market's before a confirmation is
 * required; "never" requires none at any distance.
 */
export const DEVIATIONS = ["0.5", "1", "2", "5", "10", "never"] as const;
export type Deviation = (typeof DEVIATIONS)[number];
const DEVIATION_DEFAULT: Deviation = "5";

export interface OrderPreferences {
  readonly deviation: Deviation;
  readonly confirmations: Readonly<Record<ConfirmableKind, boolean>>;
}

const STORAGE_KEY = "openbell.trade.confirmations";
const DEFAULTS = readOrderPreferences(null);
let kept: OrderPreferences | undefined;
const listeners = new Set<() => void>();

/** Parses stored preferences; invalid values are replaced by the defaults. */
export function readOrderPreferences(text: string | null): OrderPreferences {
  const given = objectOf(text);
  const confirmations = objectOf(JSON.stringify(given["confirmations"] ?? null));
  const asked = CONFIRMABLE_KINDS.map(({ kind, asksByDefault }) => {
    const stored = confirmations[kind];
    return [kind, typeof stored === "boolean" ? stored : asksByDefault];
  });
  return {
    deviation: DEVIATIONS.find((each) => each === given["deviation"]) ?? DEVIATION_DEFAULT,
    confirmations: Object.fromEntries(asked) as OrderPreferences["confirmations"],
  };
}

function objectOf(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const given: unknown = JSON.parse(text ?? "null");
    return typeof given === "object" && given !== null ? { ...given } : {};
  } catch {
    // Not JSON, such as another program's text under this key: use the defaults.
    return {};
  }
}

/** The current preferences. Call only in the browser. */
export function orderPreferences(): OrderPreferences {
  if (kept !== undefined) return kept;
  try {
    kept = readOrderPreferences(localStorage.getItem(STORAGE_KEY));
  } catch {
    // The browser refuses access to storage.
    kept = DEFAULTS;
  }
  return kept;
}

export function changeOrderPreferences(change: Partial<OrderPreferences>): void {
  kept = { ...orderPreferences(), ...change };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // Storage is unavailable: the preferences last until the page is left.
  }
  for (const listener of listeners) listener();
}

export function askBefore(kind: ConfirmableKind, isAsked: boolean): void {
  const { confirmations } = orderPreferences();
  changeOrderPreferences({ confirmations: { ...confirmations, [kind]: isAsked } });
}

/** The preferences; the defaults on the server and during hydration. */
export function useOrderPreferences(): OrderPreferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    orderPreferences,
    () => DEFAULTS,
  );
}
