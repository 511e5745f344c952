import type { Dispatch } from "react";
import { NumberInput } from "../../format/number-input.tsx";
import type { NumberStep } from "../../format/typed-number.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import type { TextField, TicketAction, TicketState } from "./ticket-state.ts";

interface TextBoxProps {
  readonly field: TextField;
  readonly label: string;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly type?: "number" | "datetime-local";
  /** The step by which arrow keys change the number. */
  readonly step?: NumberStep;
  readonly state: TicketState;
  readonly dispatch: Dispatch<TicketAction>;
  readonly errorOf: (field: string) => string | undefined;
}

/** A text field of the ticket that only some orders have. */
export function TextBox(props: TextBoxProps) {
  const { field, label, unit, placeholder, type = "number", step } = props;
  const { state, dispatch, errorOf } = props;
  const change = (text: string) => dispatch({ type: "textTyped", field, text });
  const box = {
    name: field,
    enterKeyHint: "send",
    placeholder,
    trailing: unit,
    value: state.texts[field],
    onBlur: () => dispatch({ type: "fieldLeft", field }),
  } as const;
  return (
    <Field label={label} error={errorOf(field)}>
      {(control) =>
        type === "number" ? (
          <NumberInput
            {...control}
            {...box}
            {...(step === undefined ? {} : { step })}
            onChange={change}
          />
        ) : (
          <Input
            {...control}
            {...box}
            type={type}
            autoComplete="off"
            className="figures text-right"
            onChange={(event) => change(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}
