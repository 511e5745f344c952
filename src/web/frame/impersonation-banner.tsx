import { useMutation } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useEffect, useState } from "react";
import type { Impersonation } from "#contract/page-context.ts";
import type { CurrentUser } from "#contract/users.ts";
import { fullNameOf } from "../format/person-name.ts";
import { Button } from "../ui/button.tsx";
import { stopImpersonating } from "./stop-impersonating.ts";
import { clockText } from "./time-left.ts";

interface ImpersonationBannerProps {
  readonly impersonation: Impersonation;
  /** The user as whom the administrator views. */
  readonly user: CurrentUser;
}

const TICK_MS = 500;
/**
 * Viewing as another user is stopped this long before the session ends, because stopping requires
 * the session.
 */
const STOPS_BEFORE_END_MS = 3000;

/**
 * Shows that an administrator views as another user, with a button to stop. Stops automatically
 * when the time is up. Loaded lazily, hence the default export.
 */
export default function ImpersonationBanner({ impersonation, user }: ImpersonationBannerProps) {
  const { by, until } = impersonation;
  const leftMs = useTimeLeft(until);
  const { mutate: stop, isPending, isIdle } = useMutation({ mutationFn: stopImpersonating });
  const isOver = leftMs <= STOPS_BEFORE_END_MS;
  useEffect(() => {
    if (isOver && isIdle) stop();
  }, [isOver, isIdle, stop]);
  const name = fullNameOf(user);
  return (
    <section
      aria-label="Impersonation"
      className="sticky top-12 z-20 flex min-h-9 shrink-0 items-center justify-center gap-x-3 border-b border-warn/40 bg-warn-soft px-3 py-1 text-xs text-warn sm:px-4"
    >
      <Eye className="size-4 shrink-0 max-sm:hidden" aria-hidden />
      <p className="min-w-0 max-md:flex-1">
        <bdi className="font-semibold">{by}</bdi> is viewing as{" "}
        <bdi className="font-semibold">{name}</bdi>
        {name === user.email ? null : <span className="max-lg:hidden"> ({user.email})</span>}.{" "}
        <span className="whitespace-nowrap">Changes are disabled.</span>
      </p>
      <span className="shrink-0 whitespace-nowrap">
        <span className="figures">{clockText(leftMs)}</span> left
      </span>
      <Button size="sm" busy={isPending} onClick={() => stop()}>
        Stop
      </Button>
    </section>
  );
}

/** Milliseconds until a time. Follows the clock, so that it is right after the device slept. */
function useTimeLeft(untilMs: number): number {
  const [leftMs, setLeftMs] = useState(() => untilMs - Date.now());
  useEffect(() => {
    const ticking = setInterval(() => setLeftMs(untilMs - Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, [untilMs]);
  return leftMs;
}
