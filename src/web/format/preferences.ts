/**
 * The viewer's display preferences, stored in this browser: time zone, colours of rising and
 * falling prices, density, and sounds.
 */
import { storedChoice, useSharedValue } from "../ui/shared-value.ts";

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

const preferences = storedChoice("openbell.preferences", parsePreferences);

/** Parses stored preferences; invalid values are replaced by the defaults. */
export function parsePreferences(given: unknown): Preferences {
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

/** Sets the preferences as attributes of the root element, where the style sheet reads them. */
export function applyPreferences(): void {
  const { colours, density } = preferences.read();
  document.documentElement.dataset["colours"] = colours;
  document.documentElement.dataset["density"] = density;
}

export function changePreferences(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.read(), ...change });
  applyPreferences();
}

/** The preferences; the defaults on the server and during hydration. */
export function usePreferences(): Preferences {
  return useSharedValue(preferences);
}
