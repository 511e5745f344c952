/**
 * The viewer's display preferences, stored in this browser: the time zone of all times, the colours
 * of rising and falling, the density of the pages, and sounds.
 */
import { useSyncExternalStore } from "react";

export const COLOURS = ["greenRed", "redGreen", "colourBlind"] as const;
export const DENSITIES = ["comfortable", "compact"] as const;

export interface Preferences {
  /** An IANA zone; null for the device's. */
  readonly timeZone: string | null;
  readonly colours: (typeof COLOURS)[number];
  readonly density: (typeof DENSITIES)[number];
  /** A tone for each of the viewer's own trades. */
  readonly sounds: boolean;
  /** The market that the trade page opens with; null for the one viewed last. */
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

/** The stored preferences, as far as they are valid. */
export function readPreferences(text: string | null): Preferences {
  let given: unknown;
  try {
    given = JSON.parse(text ?? "null");
  } catch {
    // Another program's text under our key: use the defaults.
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

/** In the browser only. */
function currentPreferences(): Preferences {
  if (kept !== undefined) return kept;
  try {
    kept = readPreferences(localStorage.getItem(STORAGE_KEY));
  } catch {
    // A browser may refuse access to storage.
    kept = DEFAULT_PREFERENCES;
  }
  return kept;
}

/** The style sheet reads them from the document's root element. */
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
    // They apply until the page is left.
  }
  applyPreferences();
  for (const listener of listeners) listener();
}

/** The defaults on the server and during hydration. */
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
