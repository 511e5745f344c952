import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { errorDataOf } from "../../../session/error-sentence.ts";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/code-input.tsx";
import { DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { focusAtOnce } from "../../../ui/focus-at-once.ts";

interface CodeStepProps {
  /** Takes the code. */
  readonly send: Pick<
    UseMutationResult<unknown, Error, string | undefined>,
    "error" | "isPending" | "mutate"
  >;
  readonly submitLabel: string;
  readonly onBack: () => void;
}

/** Asks a user with two-factor sign-in for the code of the authenticator app. */
export function CodeStep({ send, submitLabel, onBack }: CodeStepProps) {
  const [code, setCode] = useState("");
  const refused = errorDataOf(send.error);
  const submit = (given: string) => {
    if (send.isPending) return;
    send.mutate(given);
    setCode("");
  };
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(code);
      }}
    >
      <Field
        label="Code"
        hint="The six digits that your authenticator app shows."
        error={code === "" && refused?.code === "wrongCode" ? refused.message : undefined}
      >
        {(field) => (
          <CodeInput
            {...field}
            ref={focusAtOnce}
            value={code}
            onChange={setCode}
            onComplete={submit}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="primary" busy={send.isPending} disabled={code === ""}>
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
