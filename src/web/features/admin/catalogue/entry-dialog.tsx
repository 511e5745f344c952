import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { FieldChange } from "#contract/users.ts";
import { errorDataOf, errorSentence } from "../../../session/error-sentence.ts";
import { useRequests } from "../../../session/requests.ts";
import { useUnsavedChanges } from "../../../session/unsaved-changes.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { ActionDialog } from "../action-dialog.tsx";
import { ReasonField, useReasonForm } from "../reason-field.tsx";
import { type EntryKind, type EntryTexts, fieldsOf, NEW_TEXTS } from "./entry-fields.ts";
import { EntryForm } from "./entry-form.tsx";
import { entryOf, type EntryProblems, problemsOf, textsOf } from "./entry-texts.ts";
import { fieldChangeWords, labelFields } from "./entry-words.ts";

interface EntryDialogProps {
  readonly kind: EntryKind;
  /** The entry as listed; null for a new one. */
  readonly listed: object | null;
  /** The listed entry; null for a new one. */
  readonly version: string | null;
  readonly title: string;
  readonly onClose: () => void;
}

const WIDE = "sm:max-w-3xl!";

/** The typed texts, and the listed entry as of the first one: later changes to it must not be undone. */
interface Edit {
  readonly texts: EntryTexts;
  readonly listed: object | null;
  readonly seen: string | null;
}

/** Edits a coin, a plan or a market: first the form, then a review of the changes, with the reason. */
export function EntryDialog({ kind, listed, version, title, onClose }: EntryDialogProps) {
  const backend = useBackend();
  const [edited, setEdited] = useState<Edit | null>(null);
  const [shown, setShown] = useState<Preview | null>(null);
  const [problems, setProblems] = useState<EntryProblems>({});
  useUnsavedChanges(edited !== null);
  // Follows the listed entry until the first keystroke.
  const edit = edited ?? {
    texts: listed === null ? NEW_TEXTS[kind] : textsOf(kind, listed),
    listed,
    seen: version,
  };
  const { texts, seen } = edit;
  const entry = entryOf(kind, texts, edit.listed ?? {});
  const review = useMutation({
    mutationFn: () => backend.action(functions.catalogue.preview, { entry, seen }),
    meta: { shownInPlace: () => true },
    onSuccess: setShown,
  });
  const isNew = edit.listed === null;
  const fields = fieldsOf(kind, isNew, texts);
  const submit = () => {
    if (review.isPending) return;
    const found = problemsOf(fields, texts);
    setProblems(found);
    if (Object.keys(found).length === 0) review.mutate();
    else review.reset();
  };
  if (shown !== null && shown.changes.length > 0) {
    const step = { kind, isNew, entry, seen, shown, title, onBack: () => setShown(null), onClose };
    return <ConfirmEntry {...step} />;
  }
  const refused = refusedField(kind, review.error);
  // A refusal that concerns no field of the form is shown below it.
  const hasField = fields.some(({ name }) => name === refused?.name);
  return (
    <Dialog onClose={onClose} title={title} className={WIDE}>
      <Form className="" onSubmit={submit}>
        <EntryForm
          kind={kind}
          isNew={isNew}
          texts={texts}
          problems={refused === null ? problems : { ...problems, [refused.name]: refused.message }}
          onChange={(name, text) => {
            setShown(null);
            setEdited({ ...edit, texts: { ...texts, [name]: text } });
          }}
        />
        <output className="mt-3 block text-xs text-muted">
          {shown === null ? "" : "Nothing would change."}
        </output>
        <FormAlert className="mt-3">
          {review.error === null || hasField
            ? null
            : labelFields(kind, errorSentence(review.error))}
        </FormAlert>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={review.isPending}>
            Review
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The server's list of the changes that an entry would make. */
interface Preview {
  readonly changes: readonly string[];
  readonly differences: readonly FieldChange[];
}

interface ConfirmEntryProps {
  readonly kind: EntryKind;
  readonly isNew: boolean;
  readonly entry: ReturnType<typeof entryOf>;
  readonly seen: string | null;
  readonly shown: Preview;
  readonly title: string;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function ConfirmEntry(props: ConfirmEntryProps) {
  const { kind, isNew, entry, seen, shown, title, onBack, onClose } = props;
  const requests = useRequests();
  const form = useReasonForm();
  const submit = () => {
    form.markTried();
    if (form.reason === "") return undefined;
    const args = { entry, seen, shown: [...shown.changes], reason: form.reason };
    return requests.send(functions.catalogue.change, args);
  };
  return (
    <ActionDialog
      title={title}
      text={
        isNew
          ? "This would be listed immediately, for all users:"
          : kind === "plan"
            ? "This would change at once, for orders placed from then on:"
            : "This would change immediately, for all users:"
      }
      submitLabel={isNew ? "List it" : "Change it"}
      isDirty
      onSubmit={submit}
      done={isNew ? "Listed." : "Changed."}
      onDone={() => {
        onClose();
        return Promise.resolve();
      }}
      onClose={onBack}
    >
      <dl className="grid max-h-80 gap-1 overflow-y-auto rounded-md border bg-page px-3 py-2 text-sm">
        {shown.differences
          .map((difference) => fieldChangeWords(kind, difference))
          .map(({ name, before, after }) => (
            <div key={name} className="grid gap-x-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
              <dt className="text-muted">{name}</dt>
              <dd className="wrap-anywhere">
                {isNew ? null : <span className="text-muted">{before} → </span>}
                {after}
              </dd>
            </div>
          ))}
      </dl>
      <ReasonField {...form.reasonField} hint="It is kept in the journal and the audit log." />
    </ActionDialog>
  );
}

/** The form's field that a refusal names; null if none. */
function refusedField(kind: EntryKind, error: unknown) {
  const data = errorDataOf(error);
  const prefix = `entry.${kind}.`;
  if (data?.field?.startsWith(prefix) !== true) return null;
  // An error in a fee tier belongs to the field of all tiers.
  const name = data.field.slice(prefix.length).replace(/\.\d+(\..*)?$/, "");
  const message = labelFields(kind, data.message.replaceAll(prefix, ""));
  // The field's name, which begins a refusal, is a word such as "symbol" where it is no label yet.
  return { name, message: message.charAt(0).toUpperCase() + message.slice(1) };
}
