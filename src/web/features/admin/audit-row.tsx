import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { type AuditEvent, OPERATOR_ID } from "#contract/users.ts";
import { formatDateTime, formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { classNames } from "../../ui/class-names.ts";
import { SecurityEventIcon } from "../../ui/security-event-icon.tsx";
import { kindText } from "./user-texts.ts";

interface AuditRowProps {
  readonly event: AuditEvent;
  readonly isOfOneUser: boolean;
}

const GRID =
  "grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2";
const OF_ALL_USERS = "lg:grid-cols-[9rem_minmax(0,1fr)_minmax(0,16rem)_minmax(0,13rem)_1rem]";
const OF_ONE_USER = "lg:grid-cols-[9rem_minmax(0,1fr)_minmax(0,11rem)_1rem]";

/** One security event; it expands to its user, place and details. */
export function AuditRow({ event, isOfOneUser }: AuditRowProps) {
  const [open, setOpen] = useState(false);
  const timeZone = useTimeZone();
  const detailsId = useId();
  const isRefused = event.status === "refused";
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={detailsId}
        onClick={() => setOpen(!open)}
        className={classNames(GRID, isOfOneUser ? OF_ONE_USER : OF_ALL_USERS)}
      >
        <time
          dateTime={new Date(event.time).toISOString()}
          className="figures order-2 whitespace-nowrap text-faint lg:order-none"
        >
          {formatShortDateTime(event.time, timeZone)}
        </time>
        <span className="order-1 flex min-w-0 items-center gap-2.5 text-sm lg:order-none lg:text-xs">
          <SecurityEventIcon kind={event.kind} isRefused={isRefused} />
          <span className="truncate">{event.title}</span>
          {isRefused ? <span className="sr-only">, refused</span> : null}
        </span>
        {isOfOneUser ? null : (
          <span className="order-3 truncate text-muted max-lg:pl-6.5 lg:order-none">
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
        <ChevronRight
          aria-hidden
          className={classNames(
            "hidden size-4 text-faint transition-transform lg:block",
            open && "rotate-90",
          )}
        />
      </button>
      <div id={detailsId} hidden={!open} className="border-t bg-page">
        {open ? <AuditDetails event={event} timeZone={timeZone} /> : null}
      </div>
    </li>
  );
}

function actorText({ actorEmail, actorId }: AuditEvent): string {
  return actorId === OPERATOR_ID ? "the command line" : (actorEmail ?? "a deleted user");
}

function AuditDetails(props: { readonly event: AuditEvent; readonly timeZone: string }) {
  const { event, timeZone } = props;
  return (
    <dl className="grid gap-x-8 gap-y-3 px-4 py-3 text-xs sm:grid-cols-2 lg:grid-cols-4">
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
    </dl>
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

interface FactProps {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? "min-w-0 sm:col-span-2" : "min-w-0"}>
      <dt className="text-faint">{name}</dt>
      <dd className="mt-0.5 text-text">{children}</dd>
    </div>
  );
}
