import { SIDES } from "#contract/enumerations.ts";
import type { Market } from "#contract/types.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { DayField } from "../../ui/day-field.tsx";
import { KeptButton } from "../../ui/kept-button.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { useTypedText } from "../../ui/use-typed-text.ts";
import { KIND_FILTERS } from "./activity-kinds.ts";
import { type ActivitySearch, isFiltered } from "./activity-search.ts";

const ALL = "all";

const SIDE_OPTIONS = [
  { value: ALL, label: "Both sides" },
  { value: "buy", label: "Buy" },
  { value: "sell", label: "Sell" },
] as const;

const NO_FILTERS: ActivitySearch = {
  kind: undefined,
  search: undefined,
  market: undefined,
  side: undefined,
  from: undefined,
  to: undefined,
};

interface ActivityFiltersProps {
  readonly search: ActivitySearch;
  readonly markets: readonly Market[];
  /** Receives only the changed parameters. */
  readonly onChange: (change: ActivitySearch) => void;
}

export function ActivityFilters({ search, markets, onChange }: ActivityFiltersProps) {
  const { kind, market, side, from, to, flat } = search;
  const marketOptions = [
    { value: ALL, label: "All markets" },
    ...markets.map(({ symbol }) => ({ value: symbol, label: symbol })),
  ];
  return (
    <search className="grid grid-cols-2 items-end gap-3 border-b p-3 md:grid-cols-3 xl:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))_9.5rem_9.5rem_auto]">
      <TypedSearch value={search.search ?? ""} onChange={(text) => onChange({ search: text })} />
      <SelectField
        label="Kind"
        value={kind ?? ALL}
        options={KIND_FILTERS}
        onChange={(value) => onChange({ kind: value === ALL ? undefined : value })}
      />
      <SelectField
        label="Market"
        value={market ?? ALL}
        options={marketOptions}
        onChange={(value) => onChange({ market: value === ALL ? undefined : value })}
      />
      <SelectField
        label="Side"
        className="max-md:col-span-full"
        value={side ?? ALL}
        options={SIDE_OPTIONS}
        onChange={(value) => onChange({ side: SIDES.find((each) => each === value) })}
      />
      <DayField label="From" value={from} onChange={(day) => onChange({ from: day })} />
      <DayField label="To" value={to} onChange={(day) => onChange({ to: day })} />
      <KeptButton
        variant="ghost"
        // While it has the focus it stays, even if it is not beside the fields.
        className="max-xl:not-focus:aria-disabled:hidden"
        disabled={!isFiltered(search)}
        onClick={() => onChange(NO_FILTERS)}
      >
        Clear
      </KeptButton>
      <Checkbox
        className="col-span-full text-xs"
        label="Fills below their orders"
        checked={flat !== true && kind !== "fill"}
        disabled={kind === "fill"}
        onChange={(event) => onChange({ flat: event.currentTarget.checked ? undefined : true })}
      />
    </search>
  );
}

interface TypedSearchProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search box that applies its text when typing pauses. */
function TypedSearch({ value, onChange }: TypedSearchProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <SearchInput
      label="Search activity"
      value={text}
      onChange={setText}
      className="col-span-2 md:col-span-3 xl:col-span-1"
    />
  );
}
