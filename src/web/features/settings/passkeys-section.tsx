import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { formatDate, formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { usePasskeySupport } from "../../session/passkey-support.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { useFreshSession } from "./fresh-session.tsx";
import { PasskeyNameDialog } from "./passkey-name-dialog.tsx";
import {
  addPasskey,
  type ListedPasskey,
  passkeysQuery,
  removePasskey,
  renamePasskey,
} from "./passkeys.ts";
import { SettingsFailure, SettingsList, SettingsListItem } from "./settings-list.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** Lists, adds, renames and removes the user's passkeys. */
export function PasskeysSection() {
  const passkeys = useQuery(passkeysQuery);
  return (
    <SettingsSection
      id="passkeys"
      title="Passkeys"
      text="Sign in with your fingerprint, face or device PIN. A passkey cannot be guessed, and works on this site only."
    >
      {passkeys.isError ? (
        <SettingsFailure error={passkeys.error} onRetry={passkeys.refetch} />
      ) : passkeys.data?.length === 0 ? (
        <p className="text-sm text-muted">You have none yet.</p>
      ) : (
        <SettingsList label="Passkeys" isLoading={passkeys.isPending}>
          {passkeys.data?.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </SettingsList>
      )}
      <AddPasskey />
    </SettingsSection>
  );
}

function AddPasskey() {
  const queryClient = useQueryClient();
  const run = useFreshSession();
  const isSupported = usePasskeySupport();
  const [isNaming, setIsNaming] = useState(false);
  const add = useMutation({
    mutationFn: (name: string) => run(() => addPasskey(name)),
    onSuccess: (isAdded) => {
      if (!isAdded) return undefined;
      setIsNaming(false);
      toastSuccess("Passkey added.");
      return queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
    },
  });
  if (!isSupported) {
    return <p className="mt-3 text-xs text-faint">This browser does not know passkeys.</p>;
  }
  return (
    <>
      <Button className="mt-3" onClick={() => setIsNaming(true)}>
        Add a passkey
      </Button>
      {isNaming ? (
        <PasskeyNameDialog
          title="Add a passkey"
          description="Your browser asks next where to keep it: on this device, on your phone, or on a security key."
          confirmLabel="Continue"
          name={deviceText(navigator.userAgent)}
          busy={add.isPending}
          onConfirm={(name) => add.mutate(name)}
          onCancel={() => setIsNaming(false)}
        />
      ) : null}
    </>
  );
}

function PasskeyRow({ passkey }: { readonly passkey: ListedPasskey }) {
  const timeZone = useTimeZone();
  const queryClient = useQueryClient();
  const run = useFreshSession();
  const [asking, setAsking] = useState<"name" | "removal" | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const rename = useMutation({
    mutationFn: (name: string) => run(() => renamePasskey(passkey.id, name)),
    onSuccess: () => {
      setAsking(null);
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => run(() => removePasskey(passkey.id)),
    onSuccess: () => {
      toastSuccess("Passkey removed.");
      return refresh();
    },
    onSettled: () => setAsking(null),
  });
  const added = `Added ${formatDate(passkey.addedAtMs, timeZone)}`;
  return (
    <SettingsListItem
      icon={<KeyRound className="size-4 shrink-0 text-faint" aria-hidden />}
      title={
        <>
          {passkey.name}
          {passkey.isSynced ? <Badge>Synced</Badge> : null}
        </>
      }
      text={
        passkey.lastUsedAtMs === null
          ? added
          : `${added}, last used ${formatShortDateTime(passkey.lastUsedAtMs, timeZone)}`
      }
    >
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Rename ${passkey.name}`}
        onClick={() => setAsking("name")}
      >
        Rename
      </Button>
      <Button size="sm" aria-label={`Remove ${passkey.name}`} onClick={() => setAsking("removal")}>
        Remove
      </Button>
      {asking === "name" ? (
        <PasskeyNameDialog
          title="Rename the passkey"
          confirmLabel="Rename"
          name={passkey.name}
          busy={rename.isPending}
          onConfirm={(name) => rename.mutate(name)}
          onCancel={() => setAsking(null)}
        />
      ) : null}
      <ConfirmDialog
        open={asking === "removal"}
        title="Remove the passkey"
        text={`“${passkey.name}” will not sign in any more. Delete it on the device as well, so that it is not offered there.`}
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onCancel={() => setAsking(null)}
      />
    </SettingsListItem>
  );
}
