import { Link } from "@tanstack/react-router";
import { type AuditEvent, OPERATOR_ID } from "#contract/users.ts";
import { formatDateTime, formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { classNames } from "../../ui/class-names.ts";
import { ExpandingRow } from "../../ui/expanding-row.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { SecurityEventIcon } from "../../ui/security-event-icon.tsx";
import { kindText } from "./user-texts.ts";

interface AuditRowProps {
  readonly event: AuditEvent;
  readonly isOfOneUser: boolean;
}

const OF_ALL_USERS = "lg:grid-cols-[9rem_minmax(0,1fr)_minmax(0,16rem)_minmax(0,13rem)_1rem]";
const OF_ONE_USER = "lg:grid-cols-[9rem_minmax(0,1fr)_minmax(0,11rem)_1rem]";

/** One security event; it expands to its user, place and details. */
export function AuditRow({ event, isOfOneUser }: AuditRowProps) {
  const timeZone = useTimeZone();
  const isRefused = event.status === "refused";
  return (
    <ExpandingRow
      className={classNames(
        "grid-cols-[minmax(0,1fr)_auto]",
        isOfOneUser ? OF_ONE_USER : OF_ALL_USERS,
      )}
      chevronClassName="lg:block"
      details={<AuditDetails event={event} timeZone={timeZone} />}
    >
      <time
        dateTime={new Date(event.time).toISOString()}
        className="figures order-2 whitespace-nowrap text-faint lg:order-none"
      >
        {formatShortDateTime(event.time, timeZone)}
      </time>
      <span className="order-1 flex min-w-0 items-center gap-2.5 text-sm lg:order-none lg:text-xs">
        <SecurityEventIcon kind={event.kind} isRefused={isRefused} />
        <span className="wrap-anywhere lg:truncate">{event.title}</span>
        {isRefused ? <span className="sr-only">, refused</span> : null}
      </span>
      {isOfOneUser ? null : (
        <span className="order-3 wrap-anywhere text-muted max-lg:pl-6.5 lg:order-none lg:truncate">
          {event.userEmail ?? "Deleted user"}
        </span>
      )}
      <span
        className={classNames(
          "order-4 truncate text-faint lg:order-none",
          isOfOneUser ? "max-lg:pl-6.5" : "max-lg:text-right",
        )}
      >
        {event.actorId === null
          ? event.userAgent === null
            ? ""
            : deviceText(event.userAgent)
          : `by ${actorText(event)}`}
      </span>
    </ExpandingRow>
  );
}

function actorText({ actorEmail, actorId }: AuditEvent): string {
  return actorId === OPERATOR_ID ? "the command line" : (actorEmail ?? "a deleted user");
}

function AuditDetails(props: { readonly event: AuditEvent; readonly timeZone: string }) {
  const { event, timeZone } = props;
  return (
    <Facts>
      <Fact name="What" isWide>
        {event.title}
      </Fact>
      <Fact name="Kind">
        {kindText(event.kind)}, {event.status}
      </Fact>
      <Fact name="When">
        <span className="figures">{formatDateTime(event.time, timeZone)}</span>
      </Fact>
      <Fact name="Whose account">
        <UserLink id={event.userId} email={event.userEmail} />
      </Fact>
      <Fact name="Done by">
        {event.actorId === null ? (
          event.status === "refused" ? (
            "Someone"
          ) : (
            "The user"
          )
        ) : event.actorId === OPERATOR_ID ? (
          "The command line"
        ) : (
          <UserLink id={event.actorId} email={event.actorEmail} />
        )}
      </Fact>
      <Fact name="Network address">
        <span className="figures break-all">{event.address ?? "Unknown"}</span>
      </Fact>
      <Fact name="Device">
        {event.userAgent === null ? "Unknown" : deviceText(event.userAgent)}
        {event.userAgent === null ? null : (
          <span className="mt-0.5 block break-words text-2xs text-faint">{event.userAgent}</span>
        )}
      </Fact>
    </Facts>
  );
}

function UserLink({ id, email }: { readonly id: string; readonly email: string | null }) {
  if (email === null) {
    return (
      <>
        Deleted user <span className="figures break-all text-faint">{id}</span>
      </>
    );
  }
  return (
    <Link
      to="/admin/users/$userId"
      params={{ userId: id }}
      className="break-all rounded-sm text-accent hover:underline"
    >
      {email}
    </Link>
  );
}
