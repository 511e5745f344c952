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
  #coins = new Map<number, CoinDefinition>();
  #markets = new Map<number, MarketDefinition>();
  #plans = new Map<number, PlanDefinition>();
  #marketStatuses = new Map<number, ChangedMarketState>();
  #schedules = new Map<number, readonly ScheduledStatus[]>();
  /** The plans of accounts that do not have the default plan. */
  #plansOfAccounts = new Map<number, number>();
  #frozen = new Set<number>();
  #adjustments = new Map<number, AdjustmentTerms>();
  /** Open transfers. */
  #transfers = new Map<number, ChangedTransfer>();

  state() {
    return {
      coins: this.#coins,
      markets: this.#markets,
      plans: this.#plans,
      states: this.#marketStatuses,
      schedules: this.#schedules,
      plansOfAccounts: this.#plansOfAccounts,
      frozen: this.#frozen,
      adjustments: this.#adjustments,
      transfers: this.#transfers,
    };
  }

  restore(state: ReturnType<AdminChangeFold["state"]>): void {
    this.#coins = state.coins;
    this.#markets = state.markets;
    this.#plans = state.plans;
    this.#marketStatuses = state.states;
    this.#schedules = state.schedules;
    this.#plansOfAccounts = state.plansOfAccounts;
    this.#frozen = state.frozen;
    this.#adjustments = state.adjustments;
    this.#transfers = state.transfers;
  }

  /** The change by the event's command; undefined if no administrator decided it. */
  fold(event: ExchangeEvent): AdminChangeRecord | undefined {
    switch (event.type) {
      case "coinListed":
      case "coinUpdated":
        return replace(this.#coins, event, "coin", event.assetId, event.coin);
      case "marketListed":
        this.#marketStatuses.set(event.marketId, { status: event.market.status, untilMs: 0 });
        return replace(this.#markets, event, "market", event.marketId, event.market);
      case "marketUpdated":
        return replace(this.#markets, event, "market", event.marketId, event.market);
      case "planDefined":
      case "planUpdated":
        return replace(this.#plans, event, "plan", event.planId, event.plan);
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
        this.#adjustments.set(event.adjustmentId, event);
        return adjustmentRecord(event, event, "proposed", event.proposedBy);
      case "adjustmentApproved":
        this.#adjustments.delete(event.adjustmentId);
        return adjustmentRecord(event, event, "approved", event.approvedBy);
      case "adjustmentRejected": {
        const terms = this.#adjustments.get(event.adjustmentId);
        this.#adjustments.delete(event.adjustmentId);
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
    const before = this.#transfers.get(transferId);
    const after: ChangedTransfer = { transferId, kind, assetId, amount, status };
    if (hasEnded(status)) this.#transfers.delete(transferId);
    else this.#transfers.set(transferId, after);
    if (decision === undefined) return undefined;
    return changeRecord(event, decision, { kind: "transfer", subjectId: account, before, after });
  }

  #foldScheduled(event: EventOf<"marketScheduled">): AdminChangeRecord {
    const { marketId, steps, decision } = event;
    const before = this.#schedules.get(marketId) ?? [];
    this.#schedules.set(marketId, steps);
    return changeRecord(event, decision, {
      kind: "schedule",
      subjectId: marketId,
      before,
      after: steps,
    });
  }

  #foldStatus(event: EventOf<"marketStatusChanged">): AdminChangeRecord | undefined {
    const { cause, decision, marketId, status, untilMs } = event;
    const before = this.#marketStatuses.get(marketId);
    const after: ChangedMarketState = { status, untilMs };
    this.#marketStatuses.set(marketId, after);
    if (cause === "schedule") {
      this.#schedules.set(marketId, (this.#schedules.get(marketId) ?? []).slice(1));
    }
    if (decision === undefined) return undefined;
    return changeRecord(event, decision, {
      kind: "marketState",
      subjectId: marketId,
      before,
      after,
    });
  }

  #foldPlan(event: EventOf<"planAssigned">): AdminChangeRecord | undefined {
    const { account, decision, planId } = event;
    const before = this.#plansOfAccounts.get(account) ?? DEFAULT_PLAN_ID;
    this.#setPlan(account, planId);
    if (decision === undefined) return undefined;
    const change = { kind: "planAssignment", subjectId: account, before, after: planId } as const;
    return changeRecord(event, decision, change);
  }

  #foldFreeze(event: EventOf<"accountFreezeChanged">): AdminChangeRecord {
    const { account, isFrozen: after } = event;
    const before = this.#frozen.has(account);
    if (after) this.#frozen.add(account);
    else this.#frozen.delete(account);
    return changeRecord(event, event, { kind: "freeze", subjectId: account, before, after });
  }

  #setPlan(account: number, planId: number): void {
    if (planId === DEFAULT_PLAN_ID) this.#plansOfAccounts.delete(account);
    else this.#plansOfAccounts.set(account, planId);
  }
}

interface Change {
  readonly kind: AdminChangeKind;
  readonly subjectId: number;
  readonly before: unknown;
  readonly after: unknown;
}

function changeRecord(
  { sequence, timestampMs }: ExchangeEvent,
  { byAdmin, reason }: Decision,
  { kind, subjectId, before, after }: Change,
): AdminChangeRecord {
  return {
    sequence,
    timestampMs,
    kind,
    subjectId,
    adminId: byAdmin,
    before: before === undefined ? "" : JSON.stringify(before),
    after: JSON.stringify(after),
    reason,
  };
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
  if (event.decision === undefined) return undefined;
  return changeRecord(event, event.decision, { kind, subjectId, before, after });
}

function adjustmentRecord(
  event: ExchangeEvent,
  { account, adjustmentId, amount, assetId, reason }: AdjustmentTerms,
  step: ChangedAdjustment["step"],
  byAdmin: string,
): AdminChangeRecord {
  const after: ChangedAdjustment = { adjustmentId, assetId, amount, step };
  const before =
    step === "proposed" ? undefined : ({ ...after, step: "proposed" } satisfies ChangedAdjustment);
  const change = { kind: "adjustment", subjectId: account, before, after } as const;
  return changeRecord(event, { byAdmin, reason }, change);
}
