import type { FieldControlProps } from "../../../ui/field.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Field } from "../../../ui/field.tsx";
import { Input, inputClass } from "../../../ui/input.tsx";
import { framedSelect } from "../../../ui/framed-select.ts";
import { PlainSelect } from "../../../ui/plain-select.tsx";
import { ImageControl } from "./image-control.tsx";
import { NetworksControl } from "./networks-control.tsx";
import type { EntryProblems } from "./entry-texts.ts";
import { type EntryField, type EntryKind, type EntryTexts, fieldsOf } from "./entry-fields.ts";

interface EntryFormProps {
  readonly kind: EntryKind;
  readonly isNew: boolean;
  readonly texts: EntryTexts;
  readonly onChange: (name: string, text: string) => void;
  readonly problems: EntryProblems;
}

const AREAS: ReadonlySet<EntryField["kind"]> = new Set(["area", "lines", "ladder"]);
const NUMBERS: ReadonlySet<EntryField["kind"]> = new Set([
  "whole",
  "decimal",
  "percent",
  "minutes",
]);
const WIDE: ReadonlySet<EntryField["kind"]> = new Set([...AREAS, "image", "networks"]);

/** The fields of a coin, a plan or a market. */
export function EntryForm({ kind, isNew, texts, onChange, problems }: EntryFormProps) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {fieldsOf(kind, isNew, texts).map((field) => (
        <Field
          key={field.name}
          label={field.label}
          hint={field.hint}
          error={problems[field.name]}
          className={WIDE.has(field.kind) ? "col-span-full sm:col-span-2" : "min-w-0"}
        >
          {(control) => (
            <EntryControl
              field={field}
              control={control}
              text={texts[field.name] ?? ""}
              onChange={(text) => onChange(field.name, text)}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

interface EntryControlProps {
  readonly field: EntryField;
  readonly control: FieldControlProps;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function EntryControl({ field, control, text, onChange }: EntryControlProps) {
  if (field.options !== undefined) {
    return (
      <PlainSelect
        {...control}
        className={framedSelect}
        value={text}
        options={field.options}
        onChange={onChange}
      />
    );
  }
  if (field.kind === "image")
    return <ImageControl control={control} text={text} onChange={onChange} />;
  if (field.kind === "networks")
    return <NetworksControl control={control} text={text} onChange={onChange} />;
  if (AREAS.has(field.kind)) {
    return (
      <textarea
        {...control}
        rows={3}
        className={classNames(inputClass, "h-auto py-2", field.kind === "ladder" && "figures")}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const isNumber = NUMBERS.has(field.kind);
  return (
    <Input
      {...control}
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(isNumber && { inputMode: "decimal", className: "figures" })}
      {...(field.unit !== undefined && { trailing: field.unit })}
      {...(field.isOptional === true && { placeholder: "None" })}
    />
  );
}
