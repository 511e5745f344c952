import { useMutation } from "@tanstack/react-query";
import { useHydrated } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { CurrentUser } from "#contract/users.ts";
import { formatCoinAmounts } from "../../format/money.ts";
import { formatSpan } from "../../format/time.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useRequests } from "../../session/requests.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { toastSuccess } from "../../ui/toast.ts";

const SECOND_MS = 1000;

interface PracticeFundsButtonProps {
  readonly user: CurrentUser;
  readonly variant?: ButtonProps["variant"];
}

/** Button that claims practice funds; after a claim it shows when the next one is possible. */
export function PracticeFundsButton({ user, variant }: PracticeFundsButtonProps) {
  const requests = useRequests();
  const isReadOnly = useIsReadOnly();
  const take = useMutation({
    mutationFn: () => requests.send(functions.accounts.takePracticeFunds, {}),
    onSuccess: (taken) => {
      toastSuccess(`${formatCoinAmounts(taken)} of practice funds arrived.`);
    },
  });
  const waitMs = useMsUntil(user.practiceFundsNextAt);
  if (waitMs === null || waitMs > 0) {
    return (
      <span className="text-xs text-muted">
        {waitMs === null ? "" : `Practice funds again in ${formatSpan(waitMs)}`}
      </span>
    );
  }
  return (
    <Button
      variant={variant}
      // Amounts of many coins need more than one line on a phone.
      className="h-auto! min-h-9 shrink! whitespace-normal! py-1"
      disabled={isReadOnly}
      busy={take.isPending}
      onClick={() => take.mutate()}
    >
      Take {formatCoinAmounts(user.practiceFunds)} practice funds
    </Button>
  );
}

/** Milliseconds until a time, 0 if there is none or it has passed; null before hydration. */
function useMsUntil(untilMs: number | null): number | null {
  // The server's clock differs from the page's: values that depend on it are rendered only after hydration.
  const hydrated = useHydrated();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  if (untilMs === null) return 0;
  return hydrated ? Math.max(0, untilMs - nowMs) : null;
}
