import { TextField } from "../../ui/text-field.tsx";
import { OwnKeys } from "./own-keys.tsx";
import type { Credentials } from "./send-call.ts";

interface KeyFieldsProps {
  readonly credentials: Credentials;
  readonly isSignedIn: boolean;
  readonly onChange: (credentials: Credentials) => void;
}

/** Inputs for the API key and the secret that sign calls. The secret never leaves the page. */
export function KeyFields({ credentials, isSignedIn, onChange }: KeyFieldsProps) {
  const { apiKey, secret } = credentials;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {isSignedIn ? (
        <OwnKeys
          apiKey={apiKey}
          onChoose={(chosen) => onChange({ ...credentials, apiKey: chosen })}
        />
      ) : null}
      <TextField
        label="API key"
        inputClassName="font-mono"
        value={apiKey}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange({ ...credentials, apiKey: currentTarget.value })}
      />
      <TextField
        label="Secret"
        hint="Of an Ed25519 key the private key as PEM. It signs in this page, is sent nowhere, and is forgotten when you leave."
        className="sm:col-span-2"
        type="password"
        inputClassName="font-mono"
        value={secret}
        // Keeps browsers from offering to store the secret.
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange({ ...credentials, secret: currentTarget.value })}
      />
    </div>
  );
}
