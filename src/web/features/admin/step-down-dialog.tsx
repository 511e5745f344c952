import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { useBackend } from "../../session/use-backend.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { ReasonField } from "./reason-field.tsx";

/** Has the leader step down in favour of another node. */
export function StepDownDialog({ onClose }: { readonly onClose: () => void }) {
  const backend = useBackend();
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  const submit = () => {
    setIsTried(true);
    if (reason.trim() === "") return undefined;
    return backend.action(functions.nodes.stepDown, { reason: reason.trim() });
  };
  return (
    <ActionDialog
      title="Have the leader step down?"
      text="Everything submitted is kept, and another node leads within a second. Without another one it leads again after five."
      submitLabel="Step down"
      isDirty={reason !== ""}
      onSubmit={submit}
      done="The leader has stepped down."
      onClose={onClose}
    >
      <ReasonField
        value={reason}
        onChange={setReason}
        hint="It is kept in the log of the node."
        isMissing={isTried && reason.trim() === ""}
      />
    </ActionDialog>
  );
}
