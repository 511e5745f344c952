import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { askAccounts } from "../../session/account-refusals.ts";
import { replacingSession } from "../../session/backend-token.ts";
import { secondFactorClient } from "../../session/second-factor-client.ts";
import { Button } from "../../ui/button.tsx";
import { CodeInput } from "../../ui/code-input.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { focusAtOnce } from "../../ui/focus-at-once.ts";

interface CodeFormProps {
  readonly submitLabel: string;
  readonly onVerified: () => void;
}

/** Asks for the current code of an authenticator app. */
export function CodeForm({ submitLabel, onVerified }: CodeFormProps) {
  const [code, setCode] = useState("");
  const verify = useMutation({
    mutationFn: async (given: string) =>
      replacingSession(() => askAccounts(secondFactorClient.twoFactor.verifyTotp({ code: given }))),
    onSuccess: onVerified,
    onError: () => setCode(""),
  });
  const submit = (given: string) => {
    if (!verify.isPending) verify.mutate(given);
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
      <Field label="Code" error={code === "" ? verify.error?.message : undefined}>
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
        <Button
          type="submit"
          variant="primary"
          busy={verify.isPending || verify.isSuccess}
          disabled={code === ""}
        >
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
