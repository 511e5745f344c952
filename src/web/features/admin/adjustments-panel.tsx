import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Adjustment } from "#contract/types.ts";
import { formatExactSigned } from "../../format/decimal-text.ts";
import { directionOf } from "../../format/money.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Change } from "../../ui/price-change.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { DecideAdjustmentDialog } from "./adjustment-dialogs.tsx";
import { PanelLoading } from "./panel-loading.tsx";
import { AdministratorName, UserLink, useUserName } from "./user-name.tsx";

interface AdjustmentsPanelsProps {
  /** The viewer's user id: administrators cannot approve their own adjustments. */
  readonly ownId: string | null;
}

/** A decision whose dialog is open; another administrator may decide in the meantime. */
interface Asked {
  readonly adjustment: Adjustment;
  readonly decision: "approve" | "reject";
}

/** Balance adjustments: pending ones, for approval by a second administrator, and recent decisions. */
export function AdjustmentsPanels({ ownId }: AdjustmentsPanelsProps) {
  const { data, error } = useQuery(convexQuery(functions.adjustments.list, {}));
  const [asked, setAsked] = useState<Asked | null>(null);
  if (data === undefined || error !== null) {
    return <PanelLoading what="adjustments" error={error} className="h-60" />;
  }
  return (
    <div className="grid gap-4">
      <Panel title="Waiting for a second administrator">
        {data.pending.length === 0 ? (
          <EmptyState
            icon={Scale}
            title="Nothing waits"
            text="Propose an adjustment of a balance on the page of its user. Another administrator approves it here."
          />
        ) : (
          <AdjustmentList
            label="Waiting adjustments"
            adjustments={data.pending}
            ownId={ownId}
            onAsk={setAsked}
          />
        )}
      </Panel>
      {data.decided.length === 0 ? null : (
        <Panel title="Decided lately">
          <AdjustmentList
            label="Decided adjustments"
            adjustments={data.decided}
            ownId={ownId}
            onAsk={setAsked}
          />
        </Panel>
      )}
      {asked === null ? null : (
        <DecideAdjustmentDialog
          {...asked}
          isOwn={asked.adjustment.proposedBy === ownId}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

interface AdjustmentListProps extends AdjustmentsPanelsProps {
  readonly label: string;
  readonly adjustments: readonly Adjustment[];
  readonly onAsk: (asked: Asked) => void;
}

function AdjustmentList({ label, adjustments, ownId, onAsk }: AdjustmentListProps) {
  return (
    <ul aria-label={label} className="divide-y">
      {adjustments.map((adjustment) => (
        <AdjustmentRow
          key={adjustment.adjustmentId}
          adjustment={adjustment}
          ownId={ownId}
          onAsk={onAsk}
        />
      ))}
    </ul>
  );
}

const OUTCOMES = { approved: "Approved", rejected: "Rejected", withdrawn: "Withdrawn" } as const;

/** A proposer who rejects it has withdrawn it. */
function outcomeOf({ status, decidedBy, proposedBy }: Adjustment): keyof typeof OUTCOMES {
  if (status === "approved") return "approved";
  return decidedBy === proposedBy ? "withdrawn" : "rejected";
}

interface AdjustmentRowProps extends AdjustmentsPanelsProps {
  readonly adjustment: Adjustment;
  readonly onAsk: (asked: Asked) => void;
}

function AdjustmentRow({ adjustment, ownId, onAsk }: AdjustmentRowProps) {
  const { amount, coin, userId, reason, status, proposedBy, proposedAt } = adjustment;
  const timeZone = useTimeZone();
  const name = useUserName(userId);
  const isOwn = proposedBy === ownId;
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[10rem_minmax(0,1fr)_auto] md:items-center">
      <span className="text-sm font-medium">
        <Change
          className="figures"
          text={`${formatExactSigned(amount)} ${coin}`}
          direction={directionOf(amount)}
        />
      </span>
      <div className="min-w-0 text-xs">
        <p className="wrap-anywhere text-sm">
          <UserLink userId={userId} name={name} />
          <span className="text-muted">
            : <bdi>{reason}</bdi>
          </span>
        </p>
        <p className="mt-0.5 text-faint">
          Proposed by <AdministratorName userId={proposedBy} ownId={ownId} />,{" "}
          <span className="figures">{formatShortDateTime(proposedAt, timeZone)}</span>
          {adjustment.decidedBy === null || adjustment.decidedAt === null ? null : (
            <>
              {" · "}
              {OUTCOMES[outcomeOf(adjustment)].toLowerCase()} by{" "}
              <AdministratorName userId={adjustment.decidedBy} ownId={ownId} />,{" "}
              <span className="figures">{formatShortDateTime(adjustment.decidedAt, timeZone)}</span>
            </>
          )}
        </p>
      </div>
      {status === "pending" ? (
        <div className="flex flex-wrap items-center gap-2 md:max-w-48 md:justify-end">
          {isOwn ? (
            <span className="text-xs text-balance text-muted md:text-right">
              Another administrator approves it.
            </span>
          ) : (
            <Button
              size="sm"
              variant="primary"
              onClick={() => onAsk({ adjustment, decision: "approve" })}
            >
              Approve
            </Button>
          )}
          <Button size="sm" onClick={() => onAsk({ adjustment, decision: "reject" })}>
            {isOwn ? "Withdraw" : "Reject"}
          </Button>
        </div>
      ) : (
        <Badge
          tone={status === "approved" ? "buy" : "neutral"}
          className="justify-self-start md:justify-self-end"
        >
          {OUTCOMES[outcomeOf(adjustment)]}
        </Badge>
      )}
    </li>
  );
}
