import { X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { SearchInput } from "../../../ui/search-input.tsx";
import { DESCRIPTIONS, matchingIndicators } from "./catalogue.ts";
import {
  type ChosenIndicator,
  DEFAULT_PARAMETERS,
  INDICATOR_NAMES,
  type IndicatorName,
  withDefaults,
} from "./indicator-names.ts";
import { ParameterInput } from "./parameter-input.tsx";

interface IndicatorMenuProps {
  readonly chosen: readonly ChosenIndicator[];
  readonly onChange: (chosen: readonly ChosenIndicator[]) => void;
}

/**
 * A searchable menu of all indicators; chosen ones show their parameters. Loaded lazily, hence the
 * default export.
 */
export default function IndicatorMenu({ chosen, onChange }: IndicatorMenuProps) {
  const [search, setSearch] = useState("");
  const isChosen = (name: IndicatorName) => chosen.some((each) => each.name === name);
  const remove = (name: IndicatorName) => onChange(chosen.filter((each) => each.name !== name));
  const found = matchingIndicators(INDICATOR_NAMES, search);
  return (
    <div className="grid gap-1 p-1">
      <SearchInput value={search} onChange={setSearch} label="Search indicators" />
      {chosen.length === 0 ? null : (
        <ul aria-label="Indicators on the chart" className="grid gap-1 border-b pb-1">
          {chosen.map((indicator) => (
            <ChosenRow
              key={indicator.name}
              indicator={indicator}
              onRemove={() => remove(indicator.name)}
              onParameters={(parameters) =>
                onChange(
                  chosen.map((each) =>
                    each.name === indicator.name ? { ...each, parameters } : each,
                  ),
                )
              }
            />
          ))}
        </ul>
      )}
      <fieldset aria-label="All indicators" className="max-h-64 overflow-y-auto">
        {found.length === 0 ? (
          <p className="px-2 py-3 text-xs text-muted">No indicator is called that.</p>
        ) : null}
        {found.map((name) => (
          <label
            key={name}
            className="flex h-8 cursor-pointer select-none items-center gap-2 rounded-sm px-2 text-xs text-muted hover:bg-hover hover:text-text"
          >
            <input
              type="checkbox"
              checked={isChosen(name)}
              onChange={({ currentTarget }) =>
                currentTarget.checked ? onChange([...chosen, withDefaults(name)]) : remove(name)
              }
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1 truncate">{DESCRIPTIONS[name].label}</span>{" "}
            <span className="figures text-2xs text-faint">{name}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

interface ChosenRowProps {
  readonly indicator: ChosenIndicator;
  readonly onRemove: () => void;
  readonly onParameters: (parameters: readonly number[]) => void;
}

function ChosenRow({ indicator: { name, parameters }, onRemove, onParameters }: ChosenRowProps) {
  const { label, parameters: labels } = DESCRIPTIONS[name];
  const isDefault = DEFAULT_PARAMETERS[name].every((value, index) => value === parameters[index]);
  return (
    <li className="flex items-center gap-1 px-2">
      <span className="figures min-w-0 flex-1 truncate text-xs" title={label}>
        {name}
      </span>
      {parameters.map((value, index) => (
        <ParameterInput
          key={index}
          label={`${name}, ${labels[index] ?? "Parameter"}`}
          value={value}
          onChange={(changed) => onParameters(parameters.with(index, changed))}
        />
      ))}
      {isDefault ? null : (
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Default parameters of ${name}`}
          onClick={() => onParameters(DEFAULT_PARAMETERS[name])}
          className="px-1.5!"
        >
          Reset
        </Button>
      )}
      <Button
        variant="ghost"
        size="iconSm"
        aria-label={`Remove ${label}`}
        title="Remove"
        onClick={onRemove}
      >
        <X className="size-3.5" aria-hidden />
      </Button>
    </li>
  );
}
