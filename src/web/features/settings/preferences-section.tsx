import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import { DATE_FORMATS, type Formats, NUMBER_FORMATS } from "#contract/formats.ts";
import { changeFormats } from "../../format/change-formats.ts";
import { currentFormats } from "../../format/formats.ts";
import {
  changePreferences,
  COLOURS,
  DENSITIES,
  type Preferences,
  usePreferences,
} from "../../format/preferences.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { Change } from "../../ui/price-change.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { OrderConfirmations } from "./order-confirmations.tsx";
import { SettingsSection } from "./settings-section.tsx";

const DEVICE_TIME_ZONE = "device";
const LAST_MARKET = "last";

const COLOUR_LABELS = {
  greenRed: "Green up, red down",
  redGreen: "Red up, green down",
  colourBlind: "Blue up, orange down (for colour blindness)",
} as const satisfies Record<Preferences["colours"], string>;

const DENSITY_LABELS = {
  comfortable: "Comfortable",
  compact: "Compact",
} as const satisfies Record<Preferences["density"], string>;

const NUMBER_LABELS = {
  commaPoint: "1,234.56",
  pointComma: "1.234,56",
  spaceComma: "1 234,56",
} as const satisfies Record<Formats["numbers"], string>;

const DATE_LABELS = {
  dayMonth: "21 Nov 2026",
  monthDay: "Nov 21, 2026",
  iso: "2026-11-21",
  dotted: "21.11.2026",
} as const satisfies Record<Formats["dates"], string>;

/** The display preferences, stored in this browser; every change applies at once. */
export function PreferencesSection() {
  const [formats, setFormats] = useState(currentFormats);
  const change = (next: Partial<Formats>) => {
    changeFormats(next);
    setFormats(currentFormats());
  };
  const { timeZone: chosen, colours, density, defaultMarket, sounds } = usePreferences();
  const { data: markets = [] } = useQuery(convexQuery(functions.markets.list, {}));
  const timeZone = useTimeZone();
  const zones = useMemo(
    () => [
      { value: DEVICE_TIME_ZONE, label: "As this device" },
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
      text="Kept in this browser; they apply at once."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Time zone"
          className="sm:col-span-2"
          hint={
            <>
              An example: <span className="figures">{formatDateTime(EXAMPLE_MS, timeZone)}</span>
            </>
          }
          value={chosen ?? DEVICE_TIME_ZONE}
          options={zones}
          onChange={(zone) =>
            changePreferences({ timeZone: zone === DEVICE_TIME_ZONE ? null : zone })
          }
        />
        <SelectField
          label="Colours"
          hint={
            <span className="flex gap-3">
              <Change text="+1.25%" direction="up" arrow />
              <Change text="−1.25%" direction="down" arrow />
            </span>
          }
          value={colours}
          options={COLOURS.map((value) => ({ value, label: COLOUR_LABELS[value] }))}
          onChange={(value) => changePreferences({ colours: value })}
        />
        <SelectField
          label="Numbers"
          hint="Fields for prices and quantities take a point."
          value={formats.numbers}
          options={NUMBER_FORMATS.map((value) => ({ value, label: NUMBER_LABELS[value] }))}
          onChange={(numbers) => change({ numbers })}
        />
        <SelectField
          label="Dates"
          value={formats.dates}
          options={DATE_FORMATS.map((value) => ({ value, label: DATE_LABELS[value] }))}
          onChange={(dates) => change({ dates })}
        />
        <SelectField
          label="Density"
          value={density}
          options={DENSITIES.map((value) => ({ value, label: DENSITY_LABELS[value] }))}
          onChange={(value) => changePreferences({ density: value })}
        />
        <Checkbox
          label="Play a tone for each of your trades"
          checked={sounds}
          onChange={(event) => changePreferences({ sounds: event.currentTarget.checked })}
          className="sm:col-span-2"
        />
        <SelectField
          label="Market to open"
          className="sm:col-span-2"
          value={defaultMarket ?? LAST_MARKET}
          options={[
            { value: LAST_MARKET, label: "The one viewed last" },
            ...markets.map(({ symbol }) => ({ value: symbol, label: symbol })),
          ]}
          onChange={(market) =>
            changePreferences({ defaultMarket: market === LAST_MARKET ? null : market })
          }
        />
      </div>
      <OrderConfirmations />
    </SettingsSection>
  );
}

/** The example time for formats: in summer, so that daylight saving time shows, and in the afternoon. */
const EXAMPLE_MS = Date.UTC(2026, 6, 1, 15, 30);
