/**
 * The viewer's display preferences, stored in this browser: time zone, colours of rising and
 * falling prices, density, and sounds.
 */
import { useSyncExternalStore } from "react";

export const COLOURS = ["greenRed", "redGreen", "colourBlind"] as const;
export const DENSITIES = ["comfortable", "compact"] as const;

export interface Preferences {
  /** An IANA time zone; null for the device's. */
  readonly timeZone: string | null;
  readonly colours: (typeof COLOURS)[number];
  readonly density: (typeof DENSITIES)[number];
  /** Whether a tone sounds for each of the viewer's trades. */
  readonly sounds: boolean;
  /** The market that the trade page opens with; null for the last one viewed. */
  readonly defaultMarket: string | null;
}

export const DEFAULT_PREFERENCES: Preferences = {
  timeZone: null,
  colours: "greenRed",
  density: "comfortable",
  sounds: false,
  defaultMarket: null,
};

const STORAGE_KEY = "openbell.preferences";

let kept: Preferences | undefined;
const listeners = new Set<() => void>();

/** Parses stored preferences; invalid values are replaced by the defaults. */
export function readPreferences(text: string | null): Preferences {
  let given: unknown;
  try {
    given = JSON.parse(text ?? "null");
  } catch {
    // Not JSON, such as another program's text under this key: use the defaults.
    return DEFAULT_PREFERENCES;
  }
  if (typeof given !== "object" || given === null) return DEFAULT_PREFERENCES;
  const { timeZone, colours, density, defaultMarket, sounds } = given as Record<string, unknown>;
  return {
    timeZone: typeof timeZone === "string" && isTimeZone(timeZone) ? timeZone : null,
    colours: COLOURS.find((each) => each === colours) ?? DEFAULT_PREFERENCES.colours,
    density: DENSITIES.find((each) => each === density) ?? DEFAULT_PREFERENCES.density,
    sounds: sounds === true,
    defaultMarket: typeof defaultMarket === "string" ? defaultMarket : null,
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The current preferences. Call only in the browser. */
function currentPreferences(): Preferences {
  if (kept !== undefined) return kept;
  try {
    kept = readPreferences(localStorage.getItem(STORAGE_KEY));
  } catch {
    // The browser refuses access to storage.
    kept = DEFAULT_PREFERENCES;
  }
  return kept;
}

/** Sets the preferences as attributes of the root element, where the style sheet reads them. */
export function applyPreferences(): void {
  const { colours, density } = currentPreferences();
  document.documentElement.dataset["colours"] = colours;
  document.documentElement.dataset["density"] = density;
}

export function changePreferences(change: Partial<Preferences>): void {
  kept = { ...currentPreferences(), ...change };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // Storage is unavailable: the preferences last until the page is left.
  }
  applyPreferences();
  for (const listener of listeners) listener();
}

/** The preferences; the defaults on the server and during hydration. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentPreferences,
    () => DEFAULT_PREFERENCES,
  );
}
