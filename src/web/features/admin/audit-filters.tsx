import type { ReactNode } from "react";
import { SECURITY_EVENT_KINDS } from "#contract/users.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { DayField } from "../../ui/day-field.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useTypedText } from "../../ui/use-typed-text.ts";
import { type AuditSearch, isAuditFiltered } from "./audit-search.ts";
import { kindText } from "./user-texts.ts";

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
    <RecordFilters
      className="lg:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1.5fr)_9.5rem_9.5rem_auto]"
      who="User"
      search={search}
      onChange={onChange}
    >
      <TypedField
        label="Text"
        placeholder="Words"
        value={search.search ?? ""}
        onChange={(text) => onChange({ search: text })}
      />
      <KindField
        className="max-lg:col-span-2"
        value={search.kind}
        kinds={SECURITY_EVENT_KINDS}
        textOf={kindText}
        onChange={(kind) => onChange({ kind })}
      />
    </RecordFilters>
  );
}

interface RecordFiltersProps extends AuditFiltersProps {
  /** The columns of wide windows. */
  readonly className: string;
  readonly who: string;
  readonly children: ReactNode;
}

/** Filters of a record by person and days, and by the fields in `children`. */
export function RecordFilters({ className, who, search, onChange, children }: RecordFiltersProps) {
  return (
    <search className={classNames("grid grid-cols-2 items-end gap-3 border-b p-3", className)}>
      <TypedField
        label={who}
        placeholder="Email or id"
        value={search.user ?? ""}
        onChange={(user) => onChange({ user })}
      />
      {children}
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

interface KindFieldProps<Kind extends string> {
  readonly className?: string;
  readonly value: Kind | undefined;
  readonly kinds: readonly Kind[];
  readonly textOf: (kind: Kind) => string;
  readonly onChange: (kind: Kind | undefined) => void;
}

export function KindField<Kind extends string>(props: KindFieldProps<Kind>) {
  const { className, value, kinds, textOf, onChange } = props;
  const options = kinds.map((kind) => ({ value: kind, label: textOf(kind) }));
  return (
    <SelectField<Kind | "all">
      label="Kind"
      className={className}
      value={value ?? "all"}
      options={[{ value: "all", label: "Every kind" }, ...options]}
      onChange={(kind) => onChange(kind === "all" ? undefined : kind)}
    />
  );
}

interface TypedFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text field that applies its value when typing pauses. */
function TypedField({ label, placeholder, value, onChange }: TypedFieldProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
