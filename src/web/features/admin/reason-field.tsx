import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

const REASON_LENGTH_MAX = 200;

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Who will read it. */
  readonly hint: string;
  /** After a try without one. */
  readonly isMissing: boolean;
}

/** Why an administrator does something. */
export function ReasonField({ value, onChange, hint, isMissing }: ReasonFieldProps) {
  return (
    <Field label="Reason" hint={hint} error={isMissing ? "Say why" : undefined}>
      {(control) => (
        <Input
          {...control}
          value={value}
          maxLength={REASON_LENGTH_MAX}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
