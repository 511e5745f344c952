import { useMemo } from "react";
import {
  changePreferences,
  COLOURS,
  DENSITIES,
  type Preferences,
  usePreferences,
} from "../../format/preferences.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { Change } from "../../ui/change.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { SettingsSection } from "./settings-section.tsx";

const DEVICE = "device";
const SELECT = "h-9 w-full border-control/70! bg-page! text-sm!";

const COLOUR_LABELS = {
  greenRed: "Green up, red down",
  redGreen: "Red up, green down",
  colourBlind: "Blue up, orange down (for colour blindness)",
} as const satisfies Record<Preferences["colours"], string>;

const DENSITY_LABELS = {
  comfortable: "Comfortable",
  compact: "Compact",
} as const satisfies Record<Preferences["density"], string>;

/** How the pages look in this browser; every change applies at once. */
export function PreferencesSection() {
  const { timeZone: chosen, colours, density, sounds } = usePreferences();
  const timeZone = useTimeZone();
  const zones = useMemo(
    () => [
      { value: DEVICE, label: "As this device" },
      { value: "UTC", label: "UTC" },
      ...Intl.supportedValuesOf("timeZone").map((zone) => ({
        value: zone,
        label: zone.replaceAll("_", " "),
      })),
    ],
    [],
  );
  return (
    <SettingsSection
      id="preferences"
      title="Preferences"
      text="Kept in this browser; they hold at once."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Time zone"
          className="sm:col-span-2"
          hint={
            <>
              An example: <span className="figures">{formatDateTime(EXAMPLE_MS, timeZone)}</span>
            </>
          }
        >
          {(control) => (
            <PlainSelect
              {...control}
              className={SELECT}
              value={chosen ?? DEVICE}
              options={zones}
              onChange={(zone) => changePreferences({ timeZone: zone === DEVICE ? null : zone })}
            />
          )}
        </Field>
        <Field
          label="Colours"
          hint={
            <span className="flex gap-3">
              <Change text="+1.25%" direction="up" arrow />
              <Change text="−1.25%" direction="down" arrow />
            </span>
          }
        >
          {(control) => (
            <PlainSelect
              {...control}
              className={SELECT}
              value={colours}
              options={COLOURS.map((value) => ({ value, label: COLOUR_LABELS[value] }))}
              onChange={(value) => changePreferences({ colours: value })}
            />
          )}
        </Field>
        <Field label="Density">
          {(control) => (
            <PlainSelect
              {...control}
              className={SELECT}
              value={density}
              options={DENSITIES.map((value) => ({ value, label: DENSITY_LABELS[value] }))}
              onChange={(value) => changePreferences({ density: value })}
            />
          )}
        </Field>
        <Checkbox
          label="Play a tone for each of your trades"
          checked={sounds}
          onChange={() => changePreferences({ sounds: !sounds })}
          className="sm:col-span-2"
        />
      </div>
    </SettingsSection>
  );
}

/** A summer afternoon: zones with daylight saving time show it. */
const EXAMPLE_MS = Date.UTC(2026, 6, 1, 15, 30);
