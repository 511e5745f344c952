import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Link } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import { formatCoinAmounts } from "../../format/money.ts";
import { formatSpan } from "../../format/time.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useRequests } from "../../session/requests.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import type { TicketContext } from "./ticket-context.ts";
import { toastSuccess } from "../../ui/toast.ts";

const CLOCK_MS = 30_000;

interface PracticeFundsProps {
  readonly market: Market;
  readonly available: TicketContext["available"];
}

/** Offers practice funds to users who have nothing to trade with in this market; renders nothing for others. */
export function PracticeFunds({ market, available }: PracticeFundsProps) {
  const { data: user } = useFrameQuery(functions.users.current, {});
  const now = useNow();
  const isReadOnly = useIsReadOnly();
  const requests = useRequests();
  const taking = useMutation({
    mutationFn: () => requests.send(functions.accounts.takePracticeFunds, {}),
    onSuccess: (taken) =>
      toastSuccess("Practice funds added", `${formatCoinAmounts(taken)} are ready to trade with.`),
  });
  const isEmpty =
    available !== null && !/[1-9]/.test(available.base) && !/[1-9]/.test(available.quote);
  if (!isEmpty || user === undefined || user === null) return null;
  // Nothing is given where everything is paid in.
  if (user.practiceFunds.length === 0) {
    return (
      <div className="grid gap-2 rounded-md border border-accent/40 bg-accent-soft p-3">
        <p className="text-xs text-text">You have no {market.quote} to trade with.</p>
        <Link to="/transfers" className={buttonClass({ variant: "primary", size: "sm" })}>
          Deposit
        </Link>
      </div>
    );
  }
  const { practiceFundsNextAt: nextAt } = user;
  // The server renders it too, without the remaining time, which would move everything below.
  const waitMs = nextAt === null ? 0 : now === null ? null : nextAt - now;
  return (
    <div className="grid gap-2 rounded-md border border-accent/40 bg-accent-soft p-3">
      <p className="text-xs text-text">
        You have no {market.quote} to trade with. Practice money is free and never leaves this
        exchange.
      </p>
      <Button
        variant="primary"
        size="sm"
        // Amounts of several coins need more than one line.
        className="h-auto! min-h-7 whitespace-normal! py-1"
        disabled={isReadOnly || waitMs === null || waitMs > 0}
        busy={taking.isPending}
        onClick={() => taking.mutate()}
      >
        {waitMs === null || waitMs > 0
          ? `Practice funds again in ${waitMs === null ? "…" : formatSpan(waitMs)}`
          : `Take ${formatCoinAmounts(user.practiceFunds)} practice funds`}
      </Button>
    </div>
  );
}

/** The current time, updated slowly; null until hydration. */
function useNow(): number | null {
  return useSyncExternalStore(
    tick,
    () => Math.floor(Date.now() / CLOCK_MS) * CLOCK_MS,
    () => null,
  );
}

function tick(listener: () => void): () => void {
  const timer = setInterval(listener, CLOCK_MS);
  return () => clearInterval(timer);
}
