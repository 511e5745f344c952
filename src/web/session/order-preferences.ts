/**
 * When an order has to be confirmed before it is sent, by its kind and by how far its price is from
 * the market. Stored in this browser.
 */
import { storedChoice, useSharedValue } from "../ui/shared-value.ts";

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

const preferences = storedChoice("openbell.trade.confirmations", parseOrderPreferences);

/** Parses stored preferences; invalid values are replaced by the defaults. */
export function parseOrderPreferences(stored: unknown): OrderPreferences {
  const given = recordOf(stored);
  const confirmations = recordOf(given["confirmations"]);
  const asked = CONFIRMABLE_KINDS.map(({ kind, asksByDefault }) => {
    const isAsked = confirmations[kind];
    return [kind, typeof isAsked === "boolean" ? isAsked : asksByDefault];
  });
  return {
    deviation: DEVIATIONS.find((each) => each === given["deviation"]) ?? DEVIATION_DEFAULT,
    confirmations: Object.fromEntries(asked) as OrderPreferences["confirmations"],
  };
}

function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}

/** The current preferences. Call only in the browser. */
export function orderPreferences(): OrderPreferences {
  return preferences.read();
}

export function changeOrderPreferences(change: Partial<OrderPreferences>): void {
  preferences.set({ ...preferences.read(), ...change });
}

export function askBefore(kind: ConfirmableKind, isAsked: boolean): void {
  const { confirmations } = orderPreferences();
  changeOrderPreferences({ confirmations: { ...confirmations, [kind]: isAsked } });
}

/** The preferences; the defaults on the server and during hydration. */
export function useOrderPreferences(): OrderPreferences {
  return useSharedValue(preferences);
}
