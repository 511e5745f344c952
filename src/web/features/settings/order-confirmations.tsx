import {
  askBefore,
  changeOrderPreferences,
  CONFIRMABLE_KINDS,
} from "../../session/order-preferences-changes.ts";
import { DEVIATIONS, useOrderPreferences } from "../../session/order-preferences.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { SelectField } from "../../ui/select-field.tsx";

const OPTIONS = DEVIATIONS.map((value) => ({
  value,
  label: value === "never" ? "Never" : `Over ${value} % worse`,
}));

/** Chooses which kinds of orders the ticket asks to confirm. */
export function OrderConfirmations() {
  const { confirmations, deviation } = useOrderPreferences();
  return (
    <div className="mt-5 grid gap-4 border-t pt-4 sm:grid-cols-2">
      <fieldset className="grid content-start gap-2">
        <legend className="mb-1.5 text-xs font-medium text-muted">Ask before sending</legend>
        {CONFIRMABLE_KINDS.map(({ kind, label }) => (
          <Checkbox
            key={kind}
            label={label}
            checked={confirmations[kind]}
            onChange={(event) => askBefore(kind, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <SelectField
        label="Ask about prices far from the market"
        value={deviation}
        options={OPTIONS}
        onChange={(next) => changeOrderPreferences({ deviation: next })}
      />
    </div>
  );
}
