import { Field, type FieldProps } from "./field.tsx";
import { Input, type InputProps } from "./input.tsx";

interface TextFieldProps
  extends Omit<FieldProps, "children">, Omit<InputProps, "className" | "id"> {
  readonly inputClassName?: string;
}

/** A form field with a text input. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, aside, className, inputClassName, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error} aside={aside} className={className}>
      {(control) => <Input {...input} {...control} className={inputClassName} />}
    </Field>
  );
}
