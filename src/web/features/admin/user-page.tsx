import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, UserX } from "lucide-react";
import { formatDate, formatDateTime, useTimeZone } from "../../format/time.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { AccountError } from "../../session/account-error.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import type { UserRecord } from "./admin-client.ts";
import { userQuery } from "./admin-queries.ts";
import { AuditList } from "./audit-list.tsx";
import { UserActions } from "./user-actions.tsx";
import { Avatar, RoleBadge, StateBadge, VerifiedMark } from "./user-badges.tsx";
import { UserHoldings } from "./user-holdings.tsx";
import { UserSessions } from "./user-sessions.tsx";

const EVENTS_PER_PAGE = 20;

interface UserPageProps {
  readonly userId: string;
  /** The viewer's user id. */
  readonly ownId: string | null;
}

/** One user's profile, sessions, holdings, events and administrator actions. */
export function UserPage({ userId, ownId }: UserPageProps) {
  const { data: user, error, refetch } = useQuery(userQuery(userId));
  return (
    <>
      <Link
        to="/admin/users"
        className="mb-3 inline-flex items-center gap-1.5 rounded-sm text-xs text-muted hover:text-text"
      >
        <ArrowLeft className="size-3.5" aria-hidden /> All users
      </Link>
      {error !== null ? (
        <UserMissing error={error} onRetry={() => void refetch()} />
      ) : user === undefined ? (
        <PageLoading />
      ) : (
        <div className="grid gap-4">
          <UserHeader user={user} />
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <div className="grid min-w-0 gap-4">
              <UserSessions user={user} />
              <Panel
                title="Security events"
                aside={
                  <Link
                    to="/admin/audit"
                    search={{ user: user.email }}
                    className="rounded-sm text-accent hover:underline"
                  >
                    In the audit log
                  </Link>
                }
              >
                <AuditList
                  args={{ user: user.id, limit: EVENTS_PER_PAGE }}
                  isOfOneUser
                  emptyText="What happens to this account appears here."
                />
              </Panel>
            </div>
            <div className="grid min-w-0 gap-4 max-lg:row-start-1">
              <UserHoldings userId={user.id} />
              <UserActions user={user} isSelf={user.id === ownId} />
            </div>
          </div>
        </div>
      )}
    </>
  );
}

function UserHeader({ user }: { readonly user: UserRecord }) {
  const timeZone = useTimeZone();
  return (
    <Panel>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4 p-4">
        <div className="flex min-w-0 flex-1 items-center gap-4 max-lg:basis-full">
          <Avatar person={user} isLarge />
          <div className="min-w-0">
            <h2 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-base font-semibold">
              <bdi className="min-w-0 wrap-anywhere">{fullNameOf(user)}</bdi>
              <RoleBadge role={user.role} />
              <StateBadge ban={user.ban} isFull />
            </h2>
            <p className="mt-0.5 flex min-w-0 items-center gap-1.5 text-sm text-muted">
              <span className="break-all">{user.email}</span>
              <VerifiedMark isVerified={user.emailVerified} />
            </p>
          </div>
        </div>
        <dl className="flex flex-wrap gap-x-8 gap-y-2 text-xs [&_dd]:mt-0.5 [&_dt]:text-faint">
          <div>
            <dt>Created</dt>
            <dd className="figures" title={formatDateTime(user.createdAt, timeZone)}>
              {formatDate(user.createdAt, timeZone)}
            </dd>
          </div>
          <div className="min-w-0">
            <dt>Id</dt>
            <dd className="figures select-all break-all">{user.id}</dd>
          </div>
        </dl>
      </div>
      {user.ban === null ? null : (
        <p className="border-t px-4 py-2.5 text-xs text-muted">
          Banned for <bdi className="wrap-anywhere text-text">{user.ban.reason}</bdi>
        </p>
      )}
    </Panel>
  );
}

function UserMissing({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const isGone = error instanceof AccountError && error.code === "USER_NOT_FOUND";
  return (
    <Panel>
      <EmptyState
        icon={UserX}
        title={isGone ? "There is no such user" : "The user could not be read"}
        text={
          isGone ? "The account was deleted, or the address is not right." : errorSentence(error)
        }
        action={
          isGone ? (
            <Link to="/admin/users" className={buttonClass({ size: "sm" })}>
              All users
            </Link>
          ) : (
            <Button size="sm" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      />
    </Panel>
  );
}

function PageLoading() {
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <LoadingText />
      <Skeleton className="h-20 rounded-lg lg:col-span-2" />
      <Skeleton className="h-80 rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  );
}
