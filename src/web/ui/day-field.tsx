import { Field } from "./field.tsx";
import { Input } from "./input.tsx";

interface DayFieldProps {
  readonly label: string;
  /** An ISO date, such as "2026-11-21". */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A date input that may be empty. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="date"
          value={value ?? ""}
          onChange={(event) => {
            const day = event.currentTarget.value;
            onChange(day === "" ? undefined : day);
          }}
        />
      )}
    </Field>
  );
}
