import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { ReviewedTransfer, ReviewStep, TransferStatus } from "#contract/transfers.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { PanelLoading } from "./panel-loading.tsx";
import { TransferDialog } from "./transfer-dialog.tsx";
import { ACTION_TEXTS, actionsOf, REVIEW_TEXTS, type ReviewAction } from "./transfer-texts.ts";
import { AdministratorName, UserLink, useUserName } from "./user-name.tsx";

/** Tones of transfers that wait for a decision and of those that have ended; the others have none. */
const TONES: Partial<Record<TransferStatus, "buy" | "sell" | "warn">> = {
  recorded: "warn",
  held: "warn",
  approvedOnce: "warn",
  credited: "buy",
  settled: "buy",
  rejected: "sell",
  returned: "sell",
};

interface TransfersPanelsProps {
  /** User id of the viewing administrator, whom dual control excludes from some steps. */
  readonly ownId: string | null;
}

/** A step whose dialog is open, with the transfer as it was then: it may change or end in the meantime. */
interface Asked {
  readonly transfer: ReviewedTransfer;
  readonly action: ReviewAction;
}

/** Transfers to review, and those that ended recently. */
export function ReviewPanels({ ownId }: TransfersPanelsProps) {
  const { data, error } = useQuery(convexQuery(functions.transfers.queue, {}));
  const { data: options } = useQuery(convexQuery(functions.transfers.options, {}));
  // Nothing new is recorded there; earlier transfers that are under way are still shown.
  const isPractice = options?.funded === false;
  const [isImporting, setIsImporting] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  if (data === undefined || error !== null) {
    return <PanelLoading what="transfers" error={error} className="h-60" />;
  }
  return (
    <div className="grid gap-4">
      <Panel
        title="To review"
        aside={
          <Button
            size="sm"
            disabled={options?.funded !== true}
            onClick={() => setIsImporting(true)}
          >
            Import a statement
          </Button>
        }
      >
        {data.open.length === 0 ? (
          <EmptyState
            icon={Inbox}
            title={isPractice ? "This exchange trades practice money" : "Nothing to review"}
            text={
              isPractice
                ? "Nothing is deposited or withdrawn, so nothing is reviewed."
                : "Deposits that users announce and withdrawals that they request appear here."
            }
          />
        ) : (
          <ReviewList
            label="Transfers to review"
            transfers={data.open}
            ownId={ownId}
            onAsk={setAsked}
          />
        )}
        {data.left === 0 ? null : (
          <p className="border-t px-4 py-2.5 text-xs text-muted">
            <span className="figures">{data.left}</span> more were announced. A statement records
            them too.
          </p>
        )}
      </Panel>
      {data.ended.length === 0 ? null : (
        <Panel title="Ended lately">
          <ReviewList
            label="Ended transfers"
            transfers={data.ended}
            ownId={ownId}
            onAsk={setAsked}
          />
        </Panel>
      )}
      {asked === null ? null : <TransferDialog {...asked} onClose={() => setAsked(null)} />}
      {isImporting ? <ImportDialog onClose={() => setIsImporting(false)} /> : null}
    </div>
  );
}

interface ReviewListProps extends TransfersPanelsProps {
  readonly label: string;
  readonly transfers: readonly ReviewedTransfer[];
  readonly onAsk: (asked: Asked) => void;
}

function ReviewList({ label, transfers, ownId, onAsk }: ReviewListProps) {
  return (
    <ul aria-label={label} className="divide-y">
      {transfers.map((transfer) => (
        <ReviewRow key={transfer.transferId} transfer={transfer} ownId={ownId} onAsk={onAsk} />
      ))}
    </ul>
  );
}

interface ReviewRowProps extends TransfersPanelsProps {
  readonly transfer: ReviewedTransfer;
  readonly onAsk: (asked: Asked) => void;
}

function ReviewRow({ transfer, ownId, onAsk }: ReviewRowProps) {
  const { address, amount, coin, fee, kind, network, receipt, reference, status, steps, userId } =
    transfer;
  const name = useUserName(userId);
  const { actions, other } = actionsOf(transfer, ownId);
  const isDeposit = kind === "deposit";
  const what = `${isDeposit ? "deposit" : "withdrawal"} ${transfer.transferId}`;
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[10rem_minmax(0,1fr)_auto] md:items-center">
      <div className="text-sm">
        <p className="figures font-medium">
          {isDeposit ? "+" : "−"}
          {formatExact(amount)} {coin}
        </p>
        <p className="text-xs text-muted">
          {isDeposit ? "Deposit" : "Withdrawal"} {transfer.transferId}
          {isDeposit ? "" : `, fee ${formatExact(fee)}`}
        </p>
      </div>
      <div className="min-w-0 text-xs">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <UserLink userId={userId} name={name} />
          <Badge tone={TONES[status]}>{REVIEW_TEXTS[status]}</Badge>
        </p>
        <p className="figures mt-0.5 wrap-anywhere text-muted">
          {network} · {isDeposit ? reference : address}
          {receipt === null ? null : (
            <>
              {" "}
              · receipt <bdi>{receipt}</bdi>
            </>
          )}
        </p>
        <ol className="mt-0.5 text-faint">
          {steps.map((step) => (
            <Step key={`${step.status} ${step.time}`} step={step} ownId={ownId} />
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap items-center gap-2 md:max-w-48 md:justify-end">
        {other === null ? null : (
          <span className="text-xs text-balance text-muted md:text-right">{other}</span>
        )}
        {actions.map((each, index) => (
          <Button
            key={each}
            size="sm"
            variant={
              index === 0 && each !== "reject" && each !== "takeOver" ? "primary" : undefined
            }
            aria-label={`${ACTION_TEXTS[each].label}: ${what}`}
            onClick={() => onAsk({ transfer, action: each })}
          >
            {ACTION_TEXTS[each].label}
          </Button>
        ))}
      </div>
    </li>
  );
}

function Step({ step, ownId }: { readonly step: ReviewStep; readonly ownId: string | null }) {
  const timeZone = useTimeZone();
  return (
    <li className="wrap-anywhere">
      {REVIEW_TEXTS[step.status]}
      {step.byAdmin === null ? null : (
        <>
          {" "}
          by <AdministratorName userId={step.byAdmin} ownId={ownId} />
        </>
      )}
      , <span className="figures">{formatShortDateTime(step.time, timeZone)}</span>
      {step.reason === null ? null : (
        <>
          : <bdi>{step.reason}</bdi>
        </>
      )}
    </li>
  );
}
