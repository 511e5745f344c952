import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { askAccounts, needsNewSignIn } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { signOut } from "../../session/sign-out.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { useFreshSession } from "./fresh-session.tsx";
import { type ListedSession, sessionsQuery } from "./sessions.ts";
import { SettingsFailure, SettingsList, SettingsListItem } from "./settings-list.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** Lists where the user is signed in, and ends a single session or all sessions. */
export function SessionsSection() {
  const queryClient = useQueryClient();
  const run = useFreshSession();
  const sessions = useQuery(sessionsQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const show = useMutation({
    mutationFn: () =>
      run(() => queryClient.fetchQuery({ ...sessionsQuery, staleTime: 0, retry: false })),
  });
  return (
    <SettingsSection
      id="sessions"
      title="Sessions"
      text="Where you are signed in. End what you do not know, then change your password."
    >
      {sessions.isError ? (
        <SettingsFailure
          error={sessions.error}
          {...(needsNewSignIn(sessions.error) && {
            text: "You signed in a while ago. Sign in again to see your sessions.",
            retryLabel: "Sign in again",
          })}
          onRetry={() => show.mutate()}
        />
      ) : (
        <SettingsList label="Sessions" isLoading={sessions.isPending}>
          {sessions.data?.map((session) => (
            <SessionRow key={session.id} session={session} onRevoked={refresh} />
          ))}
        </SettingsList>
      )}
      <EndSessions hasOthers={(sessions.data?.length ?? 0) > 1} onRevoked={refresh} />
    </SettingsSection>
  );
}

interface EndSessionsProps {
  readonly hasOthers: boolean;
  readonly onRevoked: () => Promise<void>;
}

function EndSessions({ hasOthers, onRevoked }: EndSessionsProps) {
  const [isAsking, setIsAsking] = useState(false);
  const revokeOthers = useMutation({
    mutationFn: () => askAccounts(authClient.revokeOtherSessions()),
    onSuccess: () => {
      toastSuccess("Signed out everywhere else.");
      return onRevoked();
    },
  });
  const revokeAll = useMutation({
    mutationFn: async () => {
      await askAccounts(authClient.revokeOtherSessions());
      await signOut();
    },
  });
  const leave = useMutation({ mutationFn: signOut });
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button busy={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        Sign out
      </Button>
      {hasOthers ? (
        <>
          <Button
            variant="ghost"
            busy={revokeOthers.isPending}
            onClick={() => revokeOthers.mutate()}
          >
            Sign out everywhere else
          </Button>
          <Button variant="ghost" onClick={() => setIsAsking(true)}>
            Sign out everywhere
          </Button>
        </>
      ) : null}
      <ConfirmDialog
        open={isAsking}
        title="Sign out everywhere"
        text="Every device is signed out, this one included."
        confirmLabel="Sign out everywhere"
        busy={revokeAll.isPending || revokeAll.isSuccess}
        onConfirm={() => revokeAll.mutate()}
        onCancel={() => setIsAsking(false)}
      />
    </div>
  );
}

interface SessionRowProps {
  readonly session: ListedSession;
  readonly onRevoked: () => Promise<void>;
}

function SessionRow({ session, onRevoked }: SessionRowProps) {
  const timeZone = useTimeZone();
  const revoke = useMutation({
    mutationFn: () => askAccounts(authClient.revokeSession({ token: session.token })),
    onSuccess: onRevoked,
  });
  const since = `signed in ${formatShortDateTime(session.signedInAtMs, timeZone)}`;
  const seen = session.isCurrent
    ? since
    : `last seen ${formatShortDateTime(session.lastSeenAtMs, timeZone)}, ${since}`;
  return (
    <SettingsListItem
      icon={<MonitorSmartphone className="size-4 shrink-0 text-faint" aria-hidden />}
      title={
        <>
          {session.device}
          {session.isCurrent ? <Badge tone="accent">This device</Badge> : null}
        </>
      }
      text={session.address === "" ? seen : `${session.address} · ${seen}`}
    >
      {session.isCurrent ? undefined : (
        <Button
          size="sm"
          busy={revoke.isPending}
          aria-label={`Sign out ${session.device}`}
          onClick={() => revoke.mutate()}
        >
          Sign out
        </Button>
      )}
    </SettingsListItem>
  );
}
