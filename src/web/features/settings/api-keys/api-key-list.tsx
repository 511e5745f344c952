import { KeyRound } from "lucide-react";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { errorSentence } from "../../../session/error-sentence.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SettingsList } from "../settings-list.tsx";
import { ApiKeyRow } from "./api-key-row.tsx";
import { FaultBanner } from "./fault-banner.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

/** The list of the user's API keys. Loaded lazily, hence the default export. */
export default function ApiKeyList() {
  const [isCreating, setIsCreating] = useState(false);
  const { data, error } = useFrameQuery(functions.apiKeys.list, {});
  if (error !== null) {
    return (
      <p className="rounded-md border px-3 py-2.5 text-sm text-muted">{errorSentence(error)}</p>
    );
  }
  const isLoading = data === undefined || data === null;
  const isFull = !isLoading && data.keys.length >= data.keysMax;
  return (
    <>
      <FaultBanner keys={data?.keys ?? []} />
      {!isLoading && data.keys.length === 0 ? (
        <EmptyState
          icon={KeyRound}
          title="No API keys yet"
          text="A key lets a bot or a script read your balances and, if you permit it, trade. You can limit it to network addresses, and revoke it at any time."
          className="rounded-md border"
        />
      ) : (
        <SettingsList label="API keys" isLoading={isLoading}>
          {data?.keys.map((key) => (
            <ApiKeyRow key={key.keyId} apiKey={key} />
          ))}
        </SettingsList>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button disabled={isLoading || isFull} onClick={() => setIsCreating(true)}>
          Create a key
        </Button>
        {isFull ? (
          <p className="text-xs text-faint">
            You have {data.keysMax}, the most there may be. Revoke one first.
          </p>
        ) : null}
      </div>
      {isCreating ? <NewKeyDialog onClose={() => setIsCreating(false)} /> : null}
    </>
  );
}
