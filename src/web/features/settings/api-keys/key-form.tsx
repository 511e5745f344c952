import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { API_KEY_NAME_LENGTH_MAX } from "#contract/api-keys.ts";
import { errorDataOf } from "../../../session/error-sentence.ts";
import { useUnsavedChanges } from "../../../session/unsaved-changes.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { CodeForm } from "../../../ui/code-form.tsx";
import { DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { inputClass } from "../../../ui/input.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useFreshSession } from "../fresh-session.tsx";
import {
  addressesError,
  fieldErrorOf,
  isAboutCode,
  type KeyEntries,
  nameError,
} from "./key-terms.ts";

interface KeyFormProps<Answer> {
  readonly entries: KeyEntries;
  readonly isNew: boolean;
  readonly submitLabel: string;
  /** @param code a code of the authenticator app; undefined until the server asks for one */
  readonly onSend: (entries: KeyEntries, code: string | undefined) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
  readonly onCancel: () => void;
}

const textAreaClass = classNames(inputClass, "h-auto py-2 font-mono text-xs sm:text-xs");

/** Form of a key's restrictions; asks for a code of the authenticator app if the server requires one. */
export function KeyForm<Answer>(props: KeyFormProps<Answer>) {
  const { entries, isNew, onCancel, onDone, onSend, submitLabel } = props;
  const run = useFreshSession();
  const [isAskingCode, setIsAskingCode] = useState(false);
  const { control, formState, getValues, handleSubmit, register, setError } = useForm({
    defaultValues: entries,
  });
  const kind = useWatch({ control, name: "kind" });
  useUnsavedChanges(formState.isDirty);
  const send = useMutation({
    mutationFn: (code: string | undefined) => run(() => onSend(getValues(), code)),
    meta: { shownInPlace: (error) => isAboutCode(error) || fieldErrorOf(error) !== undefined },
    onSuccess: onDone,
    onError: (error) => {
      if (isAboutCode(error)) return setIsAskingCode(true);
      setIsAskingCode(false);
      const refused = fieldErrorOf(error);
      if (refused === undefined) return undefined;
      return setError(refused.field, { message: refused.message }, { shouldFocus: true });
    },
  });
  if (isAskingCode) {
    const refused = errorDataOf(send.error);
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
  const { errors } = formState;
  return (
    <Form onSubmit={handleSubmit(() => send.mutate(undefined))}>
      <TextField
        label="Name"
        error={errors.name?.message}
        autoComplete="off"
        maxLength={API_KEY_NAME_LENGTH_MAX}
        placeholder="Market maker at home"
        {...register("name", { validate: nameError })}
      />
      {isNew ? (
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-xs font-medium text-muted">Signature</legend>
          <Radio
            label="HMAC: a secret is made here and shown once. Every program knows it."
            value="hmac"
            {...register("kind")}
          />
          <Radio
            label="Ed25519: your private key never leaves your machine."
            value="ed25519"
            {...register("kind")}
          />
        </fieldset>
      ) : null}
      {isNew && kind === "ed25519" ? (
        <Field
          label="Public key"
          hint="As PEM, or as 32 bytes in base 64: openssl genpkey -algorithm ed25519"
          error={errors.publicKey?.message}
        >
          {(field) => (
            <textarea
              {...field}
              rows={3}
              spellCheck={false}
              className={textAreaClass}
              placeholder="-----BEGIN PUBLIC KEY-----"
              {...register("publicKey", {
                validate: (text) => text.trim() !== "" || "Paste the public key",
              })}
            />
          )}
        </Field>
      ) : null}
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-xs font-medium text-muted">Permissions</legend>
        <Checkbox label="Read balances, orders and fills" checked disabled />
        <Checkbox label="Trade: place, change and cancel orders" {...register("mayTrade")} />
        {errors.mayTrade === undefined ? null : (
          <p role="alert" className="text-xs text-sell">
            {errors.mayTrade.message}
          </p>
        )}
      </fieldset>
      <Field
        label="Addresses"
        hint="One on each line, or ranges such as 203.0.113.0/24. Empty: from anywhere."
        error={errors.addresses?.message}
      >
        {(field) => (
          <textarea
            {...field}
            rows={2}
            spellCheck={false}
            className={textAreaClass}
            placeholder="203.0.113.7"
            {...register("addresses", { validate: addressesError })}
          />
        )}
      </Field>
      <TextField
        label="Last day"
        hint="Empty: it never expires."
        error={errors.lastDay?.message}
        type="date"
        {...register("lastDay")}
      />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={send.isPending}>
          {submitLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface RadioProps extends React.ComponentProps<"input"> {
  readonly label: string;
}

function Radio({ label, ...rest }: RadioProps) {
  return (
    <label className="flex items-start gap-2 text-sm text-muted">
      <input type="radio" className="mt-0.5 size-4 shrink-0 accent-accent" {...rest} />
      {label}
    </label>
  );
}
