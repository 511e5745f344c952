import { useMutation } from "@tanstack/react-query";
import { ArrowDownToLine, ArrowUpFromLine, Banknote } from "lucide-react";
import { functions } from "#contract/functions.ts";
import type { Transfer } from "#contract/transfers.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useRequests } from "../../session/requests.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Panel } from "../../ui/panel.tsx";
import { isCancellable, STATUS_TEXTS } from "./transfer-texts.ts";

/** The caller's transfers, newest first. */
export function TransferList({ transfers }: { readonly transfers: readonly Transfer[] }) {
  return (
    <Panel title="History">
      {transfers.length === 0 ? (
        <EmptyState
          icon={Banknote}
          title="Nothing paid in or out yet"
          text="Announce a deposit to begin. Older ones are in the activity."
        />
      ) : (
        <KeptFocus
          as="ul"
          aria-label="Deposits and withdrawals"
          className="grid gap-x-4 divide-y md:grid-cols-[auto_minmax(0,1fr)_auto_auto_auto]"
        >
          {transfers.map((transfer) => (
            <TransferRow key={transfer.transferId} transfer={transfer} />
          ))}
        </KeptFocus>
      )}
    </Panel>
  );
}

function TransferRow({ transfer }: { readonly transfer: Transfer }) {
  const { address, amount, changedAt, coin, fee, kind, reason, reference, status, transferId } =
    transfer;
  const requests = useRequests();
  const isReadOnly = useIsReadOnly();
  const timeZone = useTimeZone();
  const cancel = useMutation({
    mutationFn: () => requests.send(functions.transfers.cancel, { transferId }),
  });
  const isDeposit = kind === "deposit";
  const Icon = isDeposit ? ArrowDownToLine : ArrowUpFromLine;
  const { label, tone } = STATUS_TEXTS[status];
  const what = `${isDeposit ? "Deposit" : "Withdrawal"} ${transferId}`;
  return (
    <li className="col-span-full grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5 px-4 py-2.5 md:grid-cols-subgrid">
      <Icon className="size-4 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0">
        <p className="text-sm">
          <span className="font-medium">{what}</span>{" "}
          <span className="figures">
            {isDeposit ? "+" : "−"}
            {formatExact(amount)} {coin}
          </span>
          {isDeposit ? null : (
            <span className="figures text-xs text-muted"> and {formatExact(fee)} fee</span>
          )}
        </p>
        <p className="wrap-anywhere text-xs text-muted">
          {isDeposit ? `Reference ${reference}` : `To ${address}`}
          {reason === null ? "" : ` · ${reason}`}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:col-start-2 md:contents">
        <span className="figures text-xs text-faint">
          {formatShortDateTime(changedAt, timeZone)}
        </span>
        <Badge tone={tone} className="justify-self-start">
          {label}
        </Badge>
        {isCancellable(transfer) ? (
          <Button
            size="sm"
            aria-label={`Cancel ${what.toLowerCase()}`}
            disabled={isReadOnly}
            busy={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </Button>
        ) : null}
      </div>
    </li>
  );
}
