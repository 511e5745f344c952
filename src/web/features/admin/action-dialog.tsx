import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { errorSentence } from "../../session/error-sentence.ts";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { ADMIN_KEY } from "./admin-queries.ts";

interface ActionDialogProps<Answer> {
  readonly title: ReactNode;
  /** Describes the action and the user it affects. */
  readonly text: ReactNode;
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** Whether closing the page would lose entries. */
  readonly isDirty?: boolean;
  /** Runs the action; if it fails, the error is shown. Returns undefined if the form is incomplete. */
  readonly onSubmit: () => Promise<Answer> | undefined;
  /** The toast on success, which may depend on the action's result. */
  readonly done: string | ((answer: Answer) => string);
  /** Runs after success, before the queries are refetched. */
  readonly onDone?: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

interface Taken<Answer> {
  readonly running: Promise<Answer>;
  /** The state in which the action was taken: its effect may be shown before its answer. */
  readonly done: ActionDialogProps<Answer>["done"];
}

/** A dialog that confirms one administrator action on a user. */
export function ActionDialog<Answer>(props: ActionDialogProps<Answer>) {
  const { title, text, submitLabel, onSubmit, done, onDone, onClose } = props;
  const queryClient = useQueryClient();
  useUnsavedChanges(props.isDirty === true);
  const action = useMutation({
    mutationFn: ({ running }: Taken<Answer>) => running,
    meta: { shownInPlace: () => true },
    onSuccess: async (answer, { done }) => {
      toastSuccess(typeof done === "string" ? done : done(answer));
      onClose();
      await onDone?.();
    },
    // Refetched after a refusal too: another administrator may have acted first.
    onSettled: () => queryClient.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
  const submit = () => {
    if (action.isPending) return;
    const running = onSubmit();
    if (running !== undefined) action.mutate({ running, done });
  };
  return (
    <Dialog onClose={onClose} title={title} description={text}>
      <Form onSubmit={submit}>
        {props.children}
        <FormAlert>{action.error === null ? null : errorSentence(action.error)}</FormAlert>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant={props.isDangerous === true ? "danger" : "primary"}
            busy={action.isPending}
            disabled={props.isDisabled === true}
          >
            {submitLabel}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** A title with a user's name, in which scripts of another direction turn nothing around. */
export function titleOf(before: string, name: string, after: string): ReactNode {
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  );
}

/** Props shared by all dialogs about a user. */
export interface UserDialogProps {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly lastname: string;
    readonly email: string;
  };
  readonly onClose: () => void;
}
