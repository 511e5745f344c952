import { Field, type FieldProps } from "./field.tsx";
import { framedSelect } from "./framed-select.ts";
import { PlainSelect } from "./plain-select.tsx";
import type { SelectOption } from "./select.tsx";

interface SelectFieldProps<Value extends string> extends Omit<FieldProps, "children"> {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A form field with the browser's own select. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { value, options, onChange, ...field } = props;
  return (
    <Field {...field}>
      {(control) => (
        <PlainSelect
          {...control}
          className={framedSelect}
          value={value}
          options={options}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
