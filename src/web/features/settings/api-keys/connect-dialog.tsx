import { useRouteContext } from "@tanstack/react-router";
import { useState } from "react";
import type { ApiKey } from "#contract/api-keys.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { SelectField } from "../../../ui/select-field.tsx";
import { type Client, CLIENTS, clientSettings } from "./client-settings.ts";

interface ConnectDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Shows client libraries' settings for a key, ready to be copied; only the secret is left to fill in. */
export function ConnectDialog({ apiKey: key, onClose }: ConnectDialogProps) {
  const { publicUrl } = useRouteContext({ from: "__root__" });
  const [client, setClient] = useState<Client>("ccxtJavaScript");
  const { apiKey, kind } = key;
  const settings = clientSettings(client, { origin: new URL(publicUrl).origin, apiKey, kind });
  return (
    <Dialog
      onClose={onClose}
      title={`Connect a program with “${key.name}”`}
      description="With these settings the program speaks to this exchange alone. Fill in the secret."
      className="sm:max-w-2xl!"
    >
      <SelectField label="Program" value={client} options={CLIENTS} onChange={setClient} />
      {settings === undefined ? (
        <p className="mt-4 text-sm text-muted">
          This program knows no Ed25519 keys. Create an HMAC key for it.
        </p>
      ) : (
        <>
          <div className="mt-4 mb-1.5 flex items-start justify-between gap-3">
            <p className="text-xs text-pretty text-muted">{settings.hint}</p>
            <CopyButton text={settings.text} aria-label="Copy the settings" />
          </div>
          <pre
            // Focusable, so that the text can be scrolled by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            aria-label="Settings"
            className="max-h-[50dvh] overflow-auto rounded-md border border-line-strong bg-page p-3 font-mono text-xs"
          >
            {settings.text}
          </pre>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  );
}
