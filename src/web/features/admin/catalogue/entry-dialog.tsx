import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { errorDataOf, errorSentence } from "../../../session/error-sentence.ts";
import { useRequests } from "../../../session/requests.ts";
import { useUnsavedChanges } from "../../../session/unsaved-changes.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions, DialogContent } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { ActionDialog } from "../action-dialog.tsx";
import { ReasonField, useReasonForm } from "../reason-field.tsx";
import {
  type EntryKind,
  type EntryTexts,
  entryOf,
  fieldsOf,
  NEW_TEXTS,
  textsOf,
} from "./entry-fields.ts";
import { EntryForm } from "./entry-form.tsx";

interface EntryDialogProps {
  readonly kind: EntryKind;
  /** The entry as listed; null for a new one. */
  readonly listed: object | null;
  /** Of what is listed; null for a new one. */
  readonly version: string | null;
  readonly title: string;
  readonly onClose: () => void;
}

const WIDE = "sm:max-w-3xl!";

/** What is typed, and what was listed when it was begun: a change made since is not to be undone by it. */
interface Edit {
  readonly texts: EntryTexts;
  readonly listed: object | null;
  readonly seen: string | null;
}

/** Edits a coin, a plan or a market: first the form, then a review of the changes, with the reason. */
export function EntryDialog({ kind, listed, version, title, onClose }: EntryDialogProps) {
  const backend = useBackend();
  const [edited, setEdited] = useState<Edit | null>(null);
  const [shown, setShown] = useState<readonly string[] | null>(null);
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
    onSuccess: ({ changes }) => setShown(changes),
  });
  const submit = () => {
    if (!review.isPending) review.mutate();
  };
  if (shown !== null && shown.length > 0) {
    const step = { entry, seen, shown, title, onBack: () => setShown(null), onClose };
    return <ConfirmEntry {...step} />;
  }
  const refused = refusedField(kind, review.error);
  // A refusal of what the form has no field for is shown below it.
  const hasField = fieldsOf(kind, edit.listed === null, texts).some(
    ({ name }) => name === refused?.name,
  );
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title={title} className={WIDE}>
        <Form className="" onSubmit={submit}>
          <EntryForm
            kind={kind}
            isNew={edit.listed === null}
            texts={texts}
            refused={refused}
            onChange={(name, text) => {
              setShown(null);
              setEdited({ ...edit, texts: { ...texts, [name]: text } });
            }}
          />
          <output className="mt-3 block text-xs text-muted">
            {shown === null ? "" : "Nothing would change."}
          </output>
          <FormAlert className="mt-3">
            {review.error === null || hasField ? null : errorSentence(review.error)}
          </FormAlert>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" busy={review.isPending}>
              Review
            </Button>
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

interface ConfirmEntryProps {
  readonly entry: ReturnType<typeof entryOf>;
  readonly seen: string | null;
  readonly shown: readonly string[];
  readonly title: string;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function ConfirmEntry({ entry, seen, shown, title, onBack, onClose }: ConfirmEntryProps) {
  const requests = useRequests();
  const form = useReasonForm();
  const submit = () => {
    form.markTried();
    if (form.reason === "") return undefined;
    const args = { entry, seen, shown: [...shown], reason: form.reason };
    return requests.send(functions.catalogue.change, args);
  };
  return (
    <ActionDialog
      title={title}
      text="This would change, at once and for everybody:"
      submitLabel="Change it"
      isDirty
      onSubmit={submit}
      done="Changed."
      onDone={() => {
        onClose();
        return Promise.resolve();
      }}
      onClose={onBack}
    >
      <ul className="grid gap-1 rounded-md border bg-page px-3 py-2 text-sm">
        {shown.map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            {sentence}
          </li>
        ))}
      </ul>
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
  return { name, message: data.message.replace(prefix, "") };
}
