import { Link } from "@tanstack/react-router";
import { BellRing, Check, ListOrdered, type LucideIcon, ShieldCheck, Wallet } from "lucide-react";
import type { ReactNode } from "react";
import type { Notice, NoticeKind } from "#contract/notices.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { formatMinute, useTimeZone } from "../../format/time.ts";
import { classNames } from "../../ui/class-names.ts";

const ICONS: Readonly<Record<NoticeKind, LucideIcon>> = {
  fill: Check,
  order: ListOrdered,
  alert: BellRing,
  funds: Wallet,
  security: ShieldCheck,
};

interface NoticeItemProps {
  readonly notice: Notice;
  readonly onOpen: (notice: Notice) => void;
}

/** A notice, linked to the order or page that it concerns. */
export function NoticeItem({ notice, onOpen }: NoticeItemProps) {
  const timeZone = useTimeZone();
  const { detail, isRead, kind, time, title } = notice;
  const Icon = ICONS[kind];
  return (
    <li className={classNames("relative hover:bg-hover", !isRead && "bg-accent-soft/40")}>
      <NoticeLink notice={notice} onOpen={onOpen}>
        <Icon
          aria-hidden
          className={classNames("mt-0.5 size-4", isRead ? "text-faint" : "text-accent")}
        />
        <span className="min-w-0">
          <span className="flex items-baseline justify-between gap-3">
            <span
              className={classNames("text-sm", isRead ? "text-muted" : "font-medium text-text")}
            >
              {formatNumbersIn(title)}
              {isRead ? null : <span className="sr-only">, unread</span>}
            </span>
            <time
              dateTime={new Date(time).toISOString()}
              className="shrink-0 text-2xs text-faint tabular"
            >
              {formatMinute(time, timeZone)}
            </time>
          </span>
          {detail === "" ? null : (
            <span className="mt-0.5 block text-xs text-pretty text-muted">
              {formatNumbersIn(detail)}
            </span>
          )}
        </span>
      </NoticeLink>
    </li>
  );
}

const LINK =
  "grid grid-cols-[1rem_1fr] gap-3 px-4 py-2.5 text-left focus-visible:-outline-offset-2";

function NoticeLink({
  notice,
  onOpen,
  children,
}: NoticeItemProps & { readonly children: ReactNode }) {
  const { link } = notice;
  const onClick = () => onOpen(notice);
  switch (link.page) {
    case "fill":
      return (
        <Link
          to="/fills/$orderId/$tradeId"
          params={{ orderId: link.orderId, tradeId: `${link.tradeId}` }}
          className={LINK}
          onClick={onClick}
        >
          {children}
        </Link>
      );
    case "order":
      return (
        <Link
          to="/orders/$orderId"
          params={{ orderId: link.orderId }}
          className={LINK}
          onClick={onClick}
        >
          {children}
        </Link>
      );
    case "market":
      return (
        <Link to="/trade" search={{ market: link.market }} className={LINK} onClick={onClick}>
          {children}
        </Link>
      );
    case "settings":
      return (
        <Link to="/settings" hash="sign-ins" className={LINK} onClick={onClick}>
          {children}
        </Link>
      );
    default:
      return (
        <Link to="/activity" className={LINK} onClick={onClick}>
          {children}
        </Link>
      );
  }
}
