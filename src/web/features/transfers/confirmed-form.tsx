import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { errorDataOf, errorSentence } from "../../session/error-sentence.ts";
import { Button } from "../../ui/button.tsx";
import { CodeForm } from "../../ui/code-form.tsx";
import { Form } from "../../ui/form.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";

/** Runs an action that needs a recent sign-in, after asking for one if the session is too old. */
export type RunFresh = <Answer>(action: () => Promise<Answer>) => Promise<Answer>;

interface ConfirmedFormProps<Answer> {
  readonly run: RunFresh;
  readonly submitLabel: string;
  readonly isDisabled?: boolean;
  /** Returns false if the form is incomplete; nothing is then sent. */
  readonly onCheck: () => boolean;
  readonly onSend: (code: string | undefined) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
  readonly onCancel?: () => void;
  /** Renders the fields. `refused` has the name of the field that the server refused, and why; null if none. */
  readonly children: (refused: { name: string; message: string } | null) => ReactNode;
}

/** A form whose request needs a recent sign-in and, with two-factor sign-in, a code. */
export function ConfirmedForm<Answer>(props: ConfirmedFormProps<Answer>) {
  const { run, submitLabel, onCheck, onSend, onDone, onCancel, children } = props;
  const [isAskingCode, setIsAskingCode] = useState(false);
  const send = useMutation({
    mutationFn: (code: string | undefined) => run(() => onSend(code)),
    meta: { shownInPlace: () => true },
    onSuccess: (answer) => {
      setIsAskingCode(false);
      onDone(answer);
    },
    onError: (error) => {
      const code = errorDataOf(error)?.code;
      setIsAskingCode(code === "codeNeeded" || code === "wrongCode");
    },
  });
  const refused = errorDataOf(send.error);
  if (isAskingCode) {
    return (
      <CodeForm
        hint="The six digits that your authenticator app shows."
        error={refused?.code === "wrongCode" ? refused.message : undefined}
        submitLabel={submitLabel}
        isBusy={send.isPending}
        onSubmit={send.mutate}
        onBack={() => setIsAskingCode(false)}
      />
    );
  }
  const field = refused?.field === undefined ? null : refused.field;
  const isShownAtField = field !== null && field !== "code" && field !== "transferId";
  return (
    <Form
      onSubmit={() => {
        if (!send.isPending && onCheck()) send.mutate(undefined);
      }}
    >
      {children(isShownAtField ? { name: field, message: errorSentence(send.error) } : null)}
      <FormAlert>
        {send.error === null || isShownAtField ? null : errorSentence(send.error)}
      </FormAlert>
      <div className="flex justify-end gap-2">
        {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
        <Button
          type="submit"
          variant="primary"
          busy={send.isPending}
          disabled={props.isDisabled === true}
        >
          {submitLabel}
        </Button>
      </div>
    </Form>
  );
}
