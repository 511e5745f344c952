/**
 * When an order has to be confirmed before it is sent, by its kind and by how far its price is from
 * the market. Stored in this browser.
 */
import { storedChoice, useSharedValue } from "../ui/shared-value.ts";

/** The kinds of orders, and whether each is confirmed by default. */
const ASKS_BY_DEFAULT = { limit: false, market: false, triggered: true, linked: true };
export type ConfirmableKind = keyof typeof ASKS_BY_DEFAULT;

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

/** Only order-preferences-changes.ts changes them. */
export const preferences = storedChoice("openbell.trade.confirmations", parseOrderPreferences);

/** Parses stored preferences; invalid values are replaced by the defaults. */
export function parseOrderPreferences(stored: unknown): OrderPreferences {
  const given = recordOf(stored);
  const confirmations = recordOf(given["confirmations"]);
  const asked = Object.entries(ASKS_BY_DEFAULT).map(([kind, asksByDefault]) => {
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

/** The preferences; the defaults on the server and during hydration. */
export function useOrderPreferences(): OrderPreferences {
  return useSharedValue(preferences);
}
