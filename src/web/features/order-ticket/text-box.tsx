import type { Dispatch } from "react";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import type { TextField, TicketAction, TicketState } from "./ticket-state.ts";

interface TextBoxProps {
  readonly field: TextField;
  readonly label: string;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly type?: "text" | "datetime-local";
  readonly state: TicketState;
  readonly dispatch: Dispatch<TicketAction>;
  readonly errorOf: (field: string) => string | undefined;
}

/** A text field that only some orders have. */
export function TextBox(props: TextBoxProps) {
  const { field, label, unit, placeholder, type = "text", state, dispatch, errorOf } = props;
  return (
    <Field label={label} error={errorOf(field)}>
      {(control) => (
        <Input
          {...control}
          name={field}
          type={type}
          inputMode={type === "text" ? "decimal" : undefined}
          autoComplete="off"
          enterKeyHint="send"
          placeholder={placeholder}
          trailing={unit}
          className="figures text-right"
          value={state.texts[field]}
          onChange={(event) =>
            dispatch({ type: "textTyped", field, text: event.currentTarget.value })
          }
          onBlur={() => dispatch({ type: "fieldLeft", field })}
        />
      )}
    </Field>
  );
}
