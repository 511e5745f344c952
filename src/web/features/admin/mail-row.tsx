import type { QueuedMail } from "#contract/users.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { attemptsText, STATE_LABELS } from "./mail-texts.ts";

/** One queued mail: recipient, subject, attempts and their result. */
export function MailRow({ mail }: { readonly mail: QueuedMail }) {
  const timeZone = useTimeZone();
  const { label, tone } = STATE_LABELS[mail.state];
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 text-xs lg:grid-cols-[9rem_minmax(0,1fr)_minmax(0,1fr)]">
      <time
        dateTime={new Date(mail.time).toISOString()}
        className="figures whitespace-nowrap text-faint"
      >
        {formatShortDateTime(mail.time, timeZone)}
      </time>
      <div className="min-w-0">
        <p className="wrap-anywhere text-text">{mail.subject}</p>
        <p className="wrap-anywhere mt-0.5 text-muted">To {mail.recipient}</p>
      </div>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
          <Badge tone={tone}>{label}</Badge>
          <span>{attemptsText(mail.attempts)}</span>
          {mail.nextAttempt === null || mail.lastError === null ? null : (
            <span>
              Next try{" "}
              <time
                dateTime={new Date(mail.nextAttempt).toISOString()}
                className="figures whitespace-nowrap"
              >
                {formatShortDateTime(mail.nextAttempt, timeZone)}
              </time>
            </span>
          )}
        </p>
        {mail.lastError === null ? null : (
          <p className="wrap-anywhere mt-0.5 text-warn">{mail.lastError}</p>
        )}
      </div>
    </li>
  );
}
