import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { ApiKey } from "#contract/api-keys.ts";
import { functions } from "#contract/functions.ts";
import { formatDate, formatShortDateTime, useTimeZone } from "../../../format/time.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { toastSuccess } from "../../../ui/toast.ts";
import { SettingsListItem } from "../settings-list.tsx";
import { ConnectDialog } from "./connect-dialog.tsx";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { FaultDialog } from "./fault-dialog.tsx";

const TASKS = [
  { name: "connect", label: "Connect", of: "Connect a program with" },
  { name: "edit", label: "Edit", of: "Edit" },
  { name: "faults", label: "Faults", of: "Faults of" },
] as const;

export function ApiKeyRow({ apiKey: key }: { readonly apiKey: ApiKey }) {
  const [task, setTask] = useState<(typeof TASKS)[number]["name"] | "revoke" | null>(null);
  const timeZone = useTimeZone();
  const backend = useBackend();
  const close = () => setTask(null);
  const revoke = useMutation({
    mutationFn: () => backend.mutation(functions.apiKeys.revoke, { keyId: key.keyId }),
    onSuccess: () => toastSuccess("API key revoked."),
    onSettled: close,
  });
  return (
    <SettingsListItem
      isStacked
      icon={<KeyRound className="hidden size-4 shrink-0 text-faint sm:block" aria-hidden />}
      title={
        <>
          {key.name}
          <Badge>{key.kind === "hmac" ? "HMAC" : "Ed25519"}</Badge>
          {key.permissions.includes("trade") ? <Badge>Trades</Badge> : <Badge>Reads only</Badge>}
          <StateBadge apiKey={key} />
          {key.faults === null ? null : <Badge tone="warn">Faults are on</Badge>}
        </>
      }
      text={
        <>
          <span className="font-mono">{`${key.apiKey.slice(0, 6)}…${key.apiKey.slice(-4)}`}</span>
          {` · ${usageTexts(key, timeZone).join(" · ")}`}
        </>
      }
    >
      {TASKS.map(({ name, label, of }) => (
        <Button
          key={name}
          size="sm"
          variant="ghost"
          aria-label={`${of} ${key.name}`}
          onClick={() => setTask(name)}
        >
          {label}
        </Button>
      ))}
      <Button size="sm" aria-label={`Revoke ${key.name}`} onClick={() => setTask("revoke")}>
        Revoke
      </Button>
      {task === "connect" ? <ConnectDialog apiKey={key} onClose={close} /> : null}
      {task === "edit" ? <EditKeyDialog apiKey={key} onClose={close} /> : null}
      {task === "faults" ? <FaultDialog apiKey={key} onClose={close} /> : null}
      <ConfirmDialog
        open={task === "revoke"}
        title="Revoke the API key"
        text={`Programs with “${key.name}” are refused from now on, and their connections end. Their open orders stay. This cannot be undone.`}
        confirmLabel="Revoke"
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onCancel={close}
      />
    </SettingsListItem>
  );
}

function StateBadge({ apiKey: { expiresAt, readable } }: { readonly apiKey: ApiKey }) {
  const [shownAtMs] = useState(Date.now);
  if (!readable) return <Badge tone="sell">Refused: the server’s secret has changed</Badge>;
  return expiresAt !== null && expiresAt <= shownAtMs ? <Badge tone="warn">Expired</Badge> : null;
}

/** Texts about where and until when the key may be used, and when it last was. */
function usageTexts({ addressRanges, expiresAt, lastUse }: ApiKey, timeZone: string): string[] {
  const [first, ...others] = addressRanges;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return [
    first === undefined ? "from anywhere" : `from ${first}${more}`,
    // Minus 1 ms: `expiresAt` is the start of the day after the last day.
    ...(expiresAt === null ? [] : [`until ${formatDate(expiresAt - 1, timeZone)}`]),
    lastUse === null
      ? "never used"
      : `used ${formatShortDateTime(lastUse.at, timeZone)} from ${lastUse.address}`,
  ];
}
