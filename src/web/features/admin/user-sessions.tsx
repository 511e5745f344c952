import { useQuery } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { fullNameOf } from "../../format/person-name.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { revokeSession, revokeSessions, type UserSession } from "./admin-client.ts";
import { sessionsQuery } from "./admin-queries.ts";

/** Lists a user's sessions, and ends a single session or all sessions. */
export function UserSessions({ user }: Pick<UserDialogProps, "user">) {
  const sessions = useQuery(sessionsQuery(user.id));
  const [ending, setEnding] = useState<UserSession | "all" | null>(null);
  const count = sessions.data?.length ?? 0;
  return (
    <Panel
      title="Sessions"
      aside={
        <Button size="sm" variant="ghost" disabled={count === 0} onClick={() => setEnding("all")}>
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
            <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </ul>
      )}
      {ending === null ? null : (
        <SignOutDialog user={user} ending={ending} onClose={() => setEnding(null)} />
      )}
    </Panel>
  );
}

interface SessionRowProps {
  readonly session: UserSession;
  readonly onEnd: () => void;
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const timeZone = useTimeZone();
  const device = deviceText(session.userAgent);
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <MonitorSmartphone className="size-4 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span title={session.userAgent ?? undefined}>{device}</span>
          {session.isImpersonation ? <Badge tone="warn">Viewed by an administrator</Badge> : null}
        </p>
        <p className="mt-0.5 text-xs text-faint">
          <span className="figures break-all">{session.address ?? "Unknown address"}</span>
          {" · since "}
          <span className="figures">{formatShortDateTime(session.startedAt, timeZone)}</span>
        </p>
      </div>
      <Button size="sm" aria-label={`Sign out ${device}`} onClick={onEnd}>
        Sign out
      </Button>
    </li>
  );
}

interface SignOutDialogProps extends UserDialogProps {
  readonly ending: UserSession | "all";
}

/** Asks before a single session or all sessions are ended. */
function SignOutDialog({ user, ending, onClose }: SignOutDialogProps) {
  const name = fullNameOf(user);
  const where = ending === "all" ? "everywhere" : `on ${deviceText(ending.userAgent)}`;
  return (
    <ActionDialog
      title={titleOf("Sign ", name, ` out ${where}?`)}
      text="They have to sign in again."
      submitLabel="Sign out"
      isDangerous
      onSubmit={() => (ending === "all" ? revokeSessions(user.id) : revokeSession(ending.token))}
      done={`${name} is signed out ${where}.`}
      onClose={onClose}
    />
  );
}
