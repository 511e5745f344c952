import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { accountAnswer } from "../../session/account-error.ts";
import { authClient } from "../../session/auth-client.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { signOut } from "../../session/sign-out.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { SettingsSection } from "./settings-section.tsx";
import { deviceText } from "../../format/user-agent.ts";

export const SESSIONS_KEY = "sessions";

interface ListedSession {
  readonly id: string;
  readonly token: string;
  readonly isCurrent: boolean;
  readonly device: string;
  readonly address: string;
  readonly lastUsedAt: number;
}

async function fetchSessions(): Promise<ListedSession[]> {
  const [sessions, current] = await Promise.all([
    accountAnswer(authClient.listSessions()),
    accountAnswer(authClient.getSession()),
  ]);
  return sessions
    .map(({ id, token, userAgent, ipAddress, updatedAt }) => ({
      id,
      token,
      isCurrent: id === current?.session.id,
      device: deviceText(userAgent),
      address: ipAddress ?? "",
      lastUsedAt: new Date(updatedAt).getTime(),
    }))
    .toSorted(
      (left, right) =>
        Number(right.isCurrent) - Number(left.isCurrent) || right.lastUsedAt - left.lastUsedAt,
    );
}

/** Where the account is signed in. */
export function SessionsSection() {
  const queryClient = useQueryClient();
  const sessions = useQuery({ queryKey: [SESSIONS_KEY], queryFn: fetchSessions });
  const refresh = () => queryClient.invalidateQueries({ queryKey: [SESSIONS_KEY] });
  const revokeOthers = useMutation({
    mutationFn: () => accountAnswer(authClient.revokeOtherSessions()),
    onSuccess: () => {
      toastSuccess("Signed out everywhere else.");
      return refresh();
    },
  });
  const leave = useMutation({ mutationFn: signOut });
  return (
    <SettingsSection id="sessions" title="Sessions" text="Where you are signed in.">
      {sessions.isError ? (
        <p className="text-sm text-muted">{errorSentence(sessions.error)}</p>
      ) : (
        <ul className="divide-y rounded-md border" aria-busy={sessions.isPending}>
          {sessions.data === undefined ? (
            <li className="p-3">
              <Skeleton className="h-9" />
            </li>
          ) : (
            sessions.data.map((session) => (
              <SessionRow key={session.id} session={session} onRevoked={refresh} />
            ))
          )}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button busy={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </Button>
        {(sessions.data?.length ?? 0) > 1 ? (
          <Button
            variant="ghost"
            busy={revokeOthers.isPending}
            onClick={() => revokeOthers.mutate()}
          >
            Sign out everywhere else
          </Button>
        ) : null}
      </div>
    </SettingsSection>
  );
}

interface SessionRowProps {
  readonly session: ListedSession;
  readonly onRevoked: () => Promise<void>;
}

function SessionRow({ session, onRevoked }: SessionRowProps) {
  const timeZone = useTimeZone();
  const revoke = useMutation({
    mutationFn: () => accountAnswer(authClient.revokeSession({ token: session.token })),
    onSuccess: onRevoked,
  });
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-2.5">
      <div className="min-w-0">
        <p className="flex items-center gap-2 text-sm">
          {session.device}
          {session.isCurrent ? <Badge tone="accent">This device</Badge> : null}
        </p>
        <p className="truncate text-xs text-faint">
          {session.address === "" ? "" : `${session.address} · `}
          {formatShortDateTime(session.lastUsedAt, timeZone)}
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button
          size="sm"
          busy={revoke.isPending}
          aria-label={`Sign out ${session.device}`}
          onClick={() => revoke.mutate()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
