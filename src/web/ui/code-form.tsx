import { useState } from "react";
import { Button } from "./button.tsx";
import { CodeInput } from "./code-input.tsx";
import { DialogActions } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { focusAtOnce } from "./focus-at-once.ts";
import { Form } from "./form.tsx";

interface CodeFormProps {
  readonly hint?: string;
  /** The error for the last code; shown until the user types the next one. */
  readonly error: string | undefined;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly onSubmit: (code: string) => void;
  readonly onBack?: () => void;
}

/** The step of a dialog in which the user enters the current code of their authenticator app. */
export function CodeForm({ hint, error, submitLabel, isBusy, onSubmit, onBack }: CodeFormProps) {
  const [code, setCode] = useState("");
  const submit = (complete: string) => {
    if (isBusy) return;
    setCode("");
    onSubmit(complete);
  };
  return (
    <Form className="" onSubmit={() => submit(code)}>
      <Field label="Code" hint={hint} error={code === "" ? error : undefined}>
        {(control) => (
          <CodeInput
            {...control}
            ref={focusAtOnce}
            value={code}
            onChange={setCode}
            onComplete={submit}
          />
        )}
      </Field>
      <DialogActions>
        {onBack === undefined ? null : <Button onClick={onBack}>Back</Button>}
        <Button type="submit" variant="primary" busy={isBusy} disabled={code === ""}>
          {submitLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}
