import type { ApiKey } from "#contract/api-keys.ts";
import { functions } from "#contract/functions.ts";
import { useTimeZone } from "../../../format/time.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { toastSuccess } from "../../../ui/toast.ts";
import { restrictKey } from "./api-key-calls.ts";
import { KeyForm } from "./key-form.tsx";
import { entriesOf, type KeyEntries, termsOf } from "./key-terms.ts";

interface EditKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Edits an API key's name and restrictions. */
export function EditKeyDialog({ apiKey: { keyId, ...key }, onClose }: EditKeyDialogProps) {
  const timeZone = useTimeZone();
  const backend = useBackend();
  const before = entriesOf({ keyId, ...key }, timeZone);
  const send = async (entries: KeyEntries, code: string | undefined) => {
    const { permissions, ...terms } = termsOf(entries, timeZone);
    // Changing only the name requires no code or recent sign-in, and closes no connection.
    if (JSON.stringify(termsOf(before, timeZone)) !== JSON.stringify(termsOf(entries, timeZone))) {
      const given = code === undefined ? {} : { code };
      await restrictKey({ keyId, ...terms, permissions: [...permissions], ...given });
    }
    const name = entries.name.trim();
    if (name !== key.name) await backend.mutation(functions.apiKeys.rename, { keyId, name });
  };
  return (
    <Dialog
      onClose={onClose}
      title={`Edit “${key.name}”`}
      description="Connections that were opened with the key end if its permissions, addresses or last day change."
    >
      <KeyForm
        entries={before}
        isNew={false}
        submitLabel="Save"
        onSend={send}
        onDone={() => {
          toastSuccess("API key changed.");
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
