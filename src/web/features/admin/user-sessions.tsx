import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { revokeSession, revokeSessions, type UserSession } from "./admin-client.ts";
import { ADMIN_KEY, sessionsQuery } from "./admin-queries.ts";

/** Lists a user's sessions, and ends one or all of them. */
export function UserSessions({ userId }: { readonly userId: string }) {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery(userId));
  const refresh = () => queryClient.invalidateQueries({ queryKey: [ADMIN_KEY] });
  const revokeAll = useMutation({
    mutationFn: () => revokeSessions(userId),
    onSuccess: () => toastSuccess("Signed out everywhere."),
    onSettled: refresh,
  });
  const count = sessions.data?.length ?? 0;
  return (
    <Panel
      title="Sessions"
      aside={
        <Button
          size="sm"
          variant="ghost"
          disabled={count === 0}
          busy={revokeAll.isPending}
          onClick={() => revokeAll.mutate()}
        >
          Sign out everywhere
        </Button>
      }
    >
      {sessions.isError ? (
        <p className="p-4 text-sm text-muted">{errorSentence(sessions.error)}</p>
      ) : sessions.data === undefined ? (
        <div className="p-4">
          <LoadingText />
          <Skeleton className="h-9" />
        </div>
      ) : count === 0 ? (
        <p className="p-4 text-sm text-muted">Signed in nowhere.</p>
      ) : (
        <ul className="divide-y">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onRevoked={refresh} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface SessionRowProps {
  readonly session: UserSession;
  readonly onRevoked: () => Promise<void>;
}

function SessionRow({ session, onRevoked }: SessionRowProps) {
  const timeZone = useTimeZone();
  const revoke = useMutation({
    mutationFn: () => revokeSession(session.token),
    onSuccess: () => toastSuccess("Signed out."),
    onSettled: onRevoked,
  });
  const device = deviceText(session.userAgent);
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <MonitorSmartphone className="size-4 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span title={session.userAgent ?? undefined}>{device}</span>
          {session.isImpersonation ? <Badge tone="warn">Administrator looking</Badge> : null}
        </p>
        <p className="mt-0.5 text-xs text-faint">
          <span className="figures break-all">{session.address ?? "Unknown address"}</span>
          {" · since "}
          <span className="figures">{formatShortDateTime(session.startedAt, timeZone)}</span>
        </p>
      </div>
      <Button
        size="sm"
        busy={revoke.isPending}
        aria-label={`Sign out ${device}`}
        onClick={() => revoke.mutate()}
      >
        Sign out
      </Button>
    </li>
  );
}
