import { MailCheck, MailWarning } from "lucide-react";
import type { Role } from "#contract/users.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { initialsOf } from "../../format/person-name.ts";
import { Badge } from "../../ui/badge.tsx";
import { classNames } from "../../ui/class-names.ts";
import { banText } from "./user-texts.ts";

interface Person {
  readonly name: string;
  readonly lastname: string;
  readonly email: string;
}

/** A round badge with a user's initials; decorative, because the name is shown beside it. */
export function Avatar({ person, isLarge = false }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={classNames(
        "grid shrink-0 place-items-center rounded-full border border-line-strong bg-raised font-semibold text-muted",
        isLarge ? "size-11 text-sm" : "size-7 text-2xs",
      )}
    >
      {initialsOf(person)}
    </span>
  );
}

interface AvatarProps {
  readonly person: Person;
  readonly isLarge?: boolean;
}

export function RoleBadge({ role }: { readonly role: Role }) {
  return role === "admin" ? <Badge tone="accent">Admin</Badge> : <Badge>User</Badge>;
}

interface StateBadgeProps {
  readonly ban: { readonly until: number | null } | null;
  /** Whether the badge prints when a ban ends; otherwise only its tooltip does. */
  readonly isFull?: boolean;
}

export function StateBadge({ ban, isFull = false }: StateBadgeProps) {
  const timeZone = useTimeZone();
  if (ban === null) return <span className="text-xs font-normal text-muted">Active</span>;
  const text = banText(ban, timeZone);
  return (
    <Badge tone="sell" title={ban.until === null ? undefined : formatDateTime(ban.until, timeZone)}>
      {isFull ? text : "Banned"}
    </Badge>
  );
}

/** Shows whether a user's address is verified, as an icon with a label. */
export function VerifiedMark({ isVerified }: { readonly isVerified: boolean }) {
  const Icon = isVerified ? MailCheck : MailWarning;
  return (
    <span
      title={isVerified ? "Verified" : "Not verified"}
      className={classNames("shrink-0", isVerified ? "text-buy" : "text-faint")}
    >
      <Icon className="size-3.5" aria-hidden />
      <span className="sr-only">{isVerified ? "verified" : "not verified"}</span>
    </span>
  );
}
