import { useState } from "react";
import type { CreatedApiKey } from "#contract/api-keys.ts";
import { useTimeZone } from "../../../format/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { createKey } from "./api-key-calls.ts";
import { KeyForm } from "./key-form.tsx";
import { NEW_KEY, termsOf } from "./key-terms.ts";

/** Creates an API key in two steps: its restrictions, then the key and its secret, which is shown only once. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const timeZone = useTimeZone();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [isStored, setIsStored] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const close = () => {
    // Warns before closing: an accidental click must not lose the secret.
    if (created !== null && created.secret !== null && !isStored && !isWarned) setIsWarned(true);
    else onClose();
  };
  return created === null ? (
    <Dialog onClose={close} title="Create an API key">
      <KeyForm
        entries={NEW_KEY}
        isNew
        submitLabel="Create key"
        onSend={({ kind, name, publicKey, ...entries }, code) => {
          const { permissions, ...terms } = termsOf(entries, timeZone);
          return createKey({
            ...terms,
            name,
            kind,
            permissions: [...permissions],
            ...(kind === "ed25519" && { publicKey }),
            ...(code !== undefined && { code }),
          });
        }}
        onDone={setCreated}
        onCancel={onClose}
      />
    </Dialog>
  ) : (
    <Dialog
      onClose={close}
      title={`“${created.key.name}” is ready`}
      description={
        created.secret === null
          ? "Sign with your private key. Connect, beside the key in the list, has settings for programs."
          : "Store the secret now: it is never shown again. Connect, beside the key in the list, has settings for programs."
      }
    >
      <div className="grid gap-4">
        <CopyableText label="API key" text={created.key.apiKey} />
        {created.secret === null ? null : (
          <>
            <CopyableText label="Secret" text={created.secret} />
            <Checkbox
              label="I have stored the secret"
              checked={isStored}
              onChange={({ target }) => setIsStored(target.checked)}
            />
          </>
        )}
      </div>
      {isWarned && !isStored ? (
        <p role="alert" className="mt-3 text-sm text-warn">
          Have you stored the secret? It cannot be shown again.
        </p>
      ) : null}
      <DialogActions>
        <Button variant="primary" onClick={close}>
          {isWarned && !isStored ? "Close all the same" : "Done"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function CopyableText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <p className="text-xs font-medium text-muted">{label}</p>
        <CopyButton text={text} aria-label={`Copy the ${label}`} />
      </div>
      <p
        aria-label={label}
        className="rounded-md border border-line-strong bg-page px-3 py-2 font-mono text-xs break-all select-all"
      >
        {text}
      </p>
    </div>
  );
}
