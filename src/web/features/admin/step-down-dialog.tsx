import { functions } from "#contract/functions.ts";
import { useBackend } from "../../session/use-backend.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { ReasonField, useReasonForm } from "./reason-field.tsx";

/** Has the leader step down in favour of another node. */
export function StepDownDialog({ onClose }: { readonly onClose: () => void }) {
  const backend = useBackend();
  const form = useReasonForm();
  const submit = () => {
    form.markTried();
    if (form.reason === "") return undefined;
    return backend.action(functions.nodes.stepDown, { reason: form.reason });
  };
  return (
    <ActionDialog
      title="Have the leader step down?"
      text="Everything submitted is kept, and another node leads within a second. Without another one it leads again after five."
      submitLabel="Step down"
      isDirty={form.reason !== ""}
      onSubmit={submit}
      done="The leader has stepped down."
      onClose={onClose}
    >
      <ReasonField {...form.reasonField} hint="It is kept in the log of the node." />
    </ActionDialog>
  );
}
