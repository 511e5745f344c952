/**
 * Folds the events of administrators' commands into records of their changes, with the previous values.
 * Pure. It must receive every event, from sequence 1 or from a restored state on.
 */
import type {
  CoinDefinition,
  Decision,
  MarketDefinition,
  MarketStatus,
  PlanDefinition,
  ScheduledStatus,
  Transfer,
} from "#engine/commands.ts";
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { hasEnded } from "#engine/transfers/transfer-ends.ts";
import { DEFAULT_PLAN_ID } from "#engine/markets/catalogue.ts";
import type { AdminChangeKind } from "#contract/users.ts";
import type { AdminChangeRecord } from "../records/admin-changes.ts";

/** The status that a market was set to. */
export interface ChangedMarketState {
  readonly status: MarketStatus;
  readonly untilMs: number;
}

/** A step of an adjustment: proposal, approval or rejection. */
export interface ChangedAdjustment {
  readonly adjustmentId: number;
  readonly assetId: number;
  readonly amount: number;
  readonly step: "proposed" | "approved" | "rejected";
}

/** A transfer with its new or previous status. */
export type ChangedTransfer = Pick<
  Transfer,
  "transferId" | "kind" | "assetId" | "amount" | "status"
>;

type AdjustmentTerms = Omit<ChangedAdjustment, "step"> & {
  readonly account: number;
  readonly reason: string;
};

export class AdminChangeFold {
  /** The state that later events replace, as plain data. */
  #state = {
    coins: new Map<number, CoinDefinition>(),
    markets: new Map<number, MarketDefinition>(),
    plans: new Map<number, PlanDefinition>(),
    states: new Map<number, ChangedMarketState>(),
    schedules: new Map<number, readonly ScheduledStatus[]>(),
    /** The plans of accounts that do not have the default plan. */
    plansOfAccounts: new Map<number, number>(),
    frozen: new Set<number>(),
    adjustments: new Map<number, AdjustmentTerms>(),
    /** Open transfers. */
    transfers: new Map<number, ChangedTransfer>(),
  };

  state() {
    return this.#state;
  }

  restore(state: ReturnType<AdminChangeFold["state"]>): void {
    this.#state = state;
  }

  /** The change by the event's command; undefined if no administrator decided it. */
  fold(event: ExchangeEvent): AdminChangeRecord | undefined {
    switch (event.type) {
      case "coinListed":
      case "coinUpdated":
        return replace(this.#state.coins, event, "coin", event.assetId, event.coin);
      case "marketListed":
        this.#state.states.set(event.marketId, { status: event.market.status, untilMs: 0 });
        return replace(this.#state.markets, event, "market", event.marketId, event.market);
      case "marketUpdated":
        return replace(this.#state.markets, event, "market", event.marketId, event.market);
      case "planDefined":
      case "planUpdated":
        return replace(this.#state.plans, event, "plan", event.planId, event.plan);
      case "marketScheduled":
        return this.#foldScheduled(event);
      case "marketStatusChanged":
        return this.#foldStatus(event);
      case "planAssigned":
        return this.#foldPlan(event);
      case "planPeriodBegan":
      case "planLapsed":
      case "planChosen":
        if (event.type !== "planChosen" || event.effectiveAtMs <= event.timestampMs) {
          this.#setPlan(event.account, event.planId);
        }
        return undefined;
      case "accountFreezeChanged":
        return this.#foldFreeze(event);
      case "adjustmentProposed":
        this.#state.adjustments.set(event.adjustmentId, event);
        return adjustmentRecord(event, event, "proposed", event.proposedBy);
      case "adjustmentApproved":
        this.#state.adjustments.delete(event.adjustmentId);
        return adjustmentRecord(event, event, "approved", event.approvedBy);
      case "adjustmentRejected": {
        const terms = this.#state.adjustments.get(event.adjustmentId);
        this.#state.adjustments.delete(event.adjustmentId);
        return terms && adjustmentRecord(event, terms, "rejected", event.rejectedBy);
      }
      case "transferChanged":
        return this.#foldTransfer(event);
      default:
        return undefined;
    }
  }

  #foldTransfer(event: EventOf<"transferChanged">): AdminChangeRecord | undefined {
    const { account, amount, assetId, decision, kind, status, transferId } = event;
    const before = this.#state.transfers.get(transferId);
    const after: ChangedTransfer = { transferId, kind, assetId, amount, status };
    if (hasEnded(status)) this.#state.transfers.delete(transferId);
    else this.#state.transfers.set(transferId, after);
    return changeRecord(event, decision, { kind: "transfer", subjectId: account, before, after });
  }

  #foldScheduled(event: EventOf<"marketScheduled">): AdminChangeRecord | undefined {
    const { marketId, steps, decision } = event;
    const before = this.#state.schedules.get(marketId) ?? [];
    this.#state.schedules.set(marketId, steps);
    const change = { kind: "schedule", subjectId: marketId, before, after: steps } as const;
    return changeRecord(event, decision, change);
  }

  #foldStatus(event: EventOf<"marketStatusChanged">): AdminChangeRecord | undefined {
    const { cause, decision, marketId, status, untilMs } = event;
    const before = this.#state.states.get(marketId);
    const after: ChangedMarketState = { status, untilMs };
    this.#state.states.set(marketId, after);
    if (cause === "schedule") {
      this.#state.schedules.set(marketId, (this.#state.schedules.get(marketId) ?? []).slice(1));
    }
    const change = { kind: "marketState", subjectId: marketId, before, after } as const;
    return changeRecord(event, decision, change);
  }

  #foldPlan(event: EventOf<"planAssigned">): AdminChangeRecord | undefined {
    const { account, decision, planId } = event;
    const before = this.#state.plansOfAccounts.get(account) ?? DEFAULT_PLAN_ID;
    this.#setPlan(account, planId);
    const change = { kind: "planAssignment", subjectId: account, before, after: planId } as const;
    return changeRecord(event, decision, change);
  }

  #foldFreeze(event: EventOf<"accountFreezeChanged">): AdminChangeRecord | undefined {
    const { account, isFrozen: after } = event;
    const before = this.#state.frozen.has(account);
    if (after) this.#state.frozen.add(account);
    else this.#state.frozen.delete(account);
    return changeRecord(event, event, { kind: "freeze", subjectId: account, before, after });
  }

  #setPlan(account: number, planId: number): void {
    if (planId === DEFAULT_PLAN_ID) this.#state.plansOfAccounts.delete(account);
    else this.#state.plansOfAccounts.set(account, planId);
  }
}

interface Change {
  readonly kind: AdminChangeKind;
  readonly subjectId: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** Undefined without the decision of an administrator. */
function changeRecord(
  { sequence, timestampMs }: ExchangeEvent,
  decision: Decision | undefined,
  { kind, subjectId, before, after }: Change,
): AdminChangeRecord | undefined {
  return (
    decision && {
      sequence,
      timestampMs,
      kind,
      subjectId,
      adminId: decision.byAdmin,
      before: before === undefined ? "" : JSON.stringify(before),
      after: JSON.stringify(after),
      reason: decision.reason,
    }
  );
}

function replace<Definition>(
  definitions: Map<number, Definition>,
  event: ExchangeEvent & { readonly decision?: Decision },
  kind: AdminChangeKind,
  subjectId: number,
  after: Definition,
): AdminChangeRecord | undefined {
  const before = definitions.get(subjectId);
  definitions.set(subjectId, after);
  return changeRecord(event, event.decision, { kind, subjectId, before, after });
}

function adjustmentRecord(
  event: ExchangeEvent,
  { account, adjustmentId, amount, assetId, reason }: AdjustmentTerms,
  step: ChangedAdjustment["step"],
  byAdmin: string,
): AdminChangeRecord | undefined {
  const after: ChangedAdjustment = { adjustmentId, assetId, amount, step };
  const before =
    step === "proposed" ? undefined : ({ ...after, step: "proposed" } satisfies ChangedAdjustment);
  const change = { kind: "adjustment", subjectId: account, before, after } as const;
  return changeRecord(event, { byAdmin, reason }, change);
}
