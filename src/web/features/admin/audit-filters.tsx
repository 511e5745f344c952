import { SECURITY_EVENT_KINDS, type SecurityEventKind } from "#contract/users.ts";
import { Button } from "../../ui/button.tsx";
import { DayField } from "../../ui/day-field.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { framedSelect } from "../../ui/framed-select.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { useTypedText } from "../../ui/use-typed-text.ts";
import { type AuditSearch, isAuditFiltered } from "./audit-search.ts";
import { kindText } from "./user-texts.ts";

const KINDS: readonly { readonly value: SecurityEventKind | "all"; readonly label: string }[] = [
  { value: "all", label: "Every kind" },
  ...SECURITY_EVENT_KINDS.map((kind) => ({ value: kind, label: kindText(kind) })),
];

export const NO_FILTERS: AuditSearch = {
  change: undefined,
  user: undefined,
  kind: undefined,
  search: undefined,
  from: undefined,
  to: undefined,
};

interface AuditFiltersProps {
  readonly search: AuditSearch;
  /** Receives only the changed parameters. */
  readonly onChange: (change: AuditSearch) => void;
}

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  return (
    <search className="grid grid-cols-2 items-end gap-3 border-b p-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1.5fr)_9.5rem_9.5rem_auto]">
      <TypedField
        label="User"
        placeholder="Email or id"
        value={search.user ?? ""}
        onChange={(user) => onChange({ user })}
      />
      <TypedField
        label="Text"
        placeholder="Words"
        value={search.search ?? ""}
        onChange={(text) => onChange({ search: text })}
      />
      <Field label="Kind" className="max-lg:col-span-2">
        {(control) => (
          <PlainSelect
            {...control}
            className={framedSelect}
            value={search.kind ?? "all"}
            options={KINDS}
            onChange={(kind) => onChange({ kind: kind === "all" ? undefined : kind })}
          />
        )}
      </Field>
      <DayField label="From" value={search.from} onChange={(from) => onChange({ from })} />
      <DayField label="To" value={search.to} onChange={(to) => onChange({ to })} />
      <Button
        variant="ghost"
        className={isAuditFiltered(search) ? "max-lg:col-span-2" : "max-lg:hidden"}
        disabled={!isAuditFiltered(search)}
        onClick={() => onChange(NO_FILTERS)}
      >
        Clear
      </Button>
    </search>
  );
}

interface TypedFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text field that applies its value when typing pauses. */
export function TypedField({ label, placeholder, value, onChange }: TypedFieldProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="search"
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
