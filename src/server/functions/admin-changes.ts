/** Administrators' changes by commands, for the audit log. For administrators. */
import type {
  CoinDefinition,
  MarketDefinition,
  PlanDefinition,
  ScheduledStatus,
} from "#engine/commands.ts";
import { formatDecimal } from "#contract/decimal.ts";
import type { AdminChange } from "#contract/users.ts";
import { describeCoin, describeMarket, describePlan } from "../catalogue/described-catalogue.ts";
import { fieldDifferences } from "../catalogue/differences.ts";
import type {
  ChangedAdjustment,
  ChangedMarketState,
  ChangedTransfer,
} from "../history/admin-change-fold.ts";
import type { AdminChangeRecord } from "../records/admin-changes.ts";
import type { Views } from "../views/views.ts";
import { requireAuditor } from "./audit.ts";
import type { Handlers } from "./handlers.ts";

export const changes: Handlers["audit"]["changes"] = async (context, args) => {
  await requireAuditor(context);
  const { accounts, history, views } = context.services;
  const { admin, cursor, from: fromMs, kind, limit, to: toMs } = args;
  const adminId = admin === undefined ? undefined : await accounts.idOf(admin);
  if (adminId === null) return { items: [], cursor: null };
  await history.whenFresh();
  const query = { adminId, kind, fromMs, toMs, limit, ...(cursor !== undefined && { cursor }) };
  const page = await history.read.adminChanges(query);
  const items = page.items.map((record) => present(views, record));
  const emails = await accounts.emailsOf([
    ...items.map(({ adminId: id }) => id),
    ...items.map(({ subject }) => subject),
  ]);
  return {
    items: items.map((item) => ({
      ...item,
      userEmail: emails.get(item.subject) ?? null,
      adminEmail: emails.get(item.adminId) ?? null,
    })),
    cursor: page.cursor,
  };
};

function present(
  views: Views,
  record: AdminChangeRecord,
): Omit<AdminChange, "userEmail" | "adminEmail"> {
  const { sequence, timestampMs, kind, reason, adminId } = record;
  const found = fieldDifferences(
    describe(views, record, record.before),
    describe(views, record, record.after),
  );
  return {
    sequence,
    time: timestampMs,
    kind,
    subject: subjectOf(views, record),
    differences: found.map(({ name, before, after }) => ({ name, before, after })),
    reason,
    adminId,
  };
}

function subjectOf({ accounts, catalogue }: Views, record: AdminChangeRecord): string {
  const { kind, subjectId } = record;
  switch (kind) {
    case "coin":
      return `coin ${catalogue.coin(subjectId).definition.symbol}`;
    case "plan":
      return `plan ${catalogue.plan(subjectId).definition.slug}`;
    case "market":
    case "marketState":
    case "schedule":
      return `market ${catalogue.market(subjectId).definition.symbol}`;
    case "planAssignment":
    case "freeze":
    case "adjustment":
    case "transfer":
      return accounts.account(subjectId)?.userId ?? "";
    default:
      throw new TypeError(`no change is ${String(kind satisfies never)}`);
  }
}

/** The state before or after as administrators read it; no fields if the thing did not exist. */
function describe(
  { catalogue }: Views,
  { kind, subjectId }: AdminChangeRecord,
  json: string,
): object {
  if (json === "") return {};
  const state: unknown = JSON.parse(json);
  switch (kind) {
    case "coin":
      return describeCoin(state as CoinDefinition);
    case "plan":
      return describePlan(state as PlanDefinition);
    case "market": {
      const { base, quote } = catalogue.market(subjectId);
      const scales = { base: base.scale, quote: quote.scale };
      return describeMarket(state as MarketDefinition, scales);
    }
    case "marketState": {
      const { status, untilMs } = state as ChangedMarketState;
      return { status, ...(untilMs !== 0 && { until: timeOf(untilMs) }) };
    }
    case "schedule": {
      const steps = state as readonly ScheduledStatus[];
      return { steps: steps.map(stepText).join("; ") };
    }
    case "planAssignment":
      return { plan: catalogue.plan(state as number).definition.slug };
    case "freeze":
      return { account: state === true ? "frozen" : "not frozen" };
    case "adjustment": {
      const { adjustmentId, amount, assetId, step } = state as ChangedAdjustment;
      const { scale, symbol } = catalogue.coin(assetId).definition;
      return {
        [`adjustment ${adjustmentId}`]: `${step}: ${formatDecimal(amount, scale)} ${symbol}`,
      };
    }
    case "transfer": {
      const { amount, assetId, kind: what, status, transferId } = state as ChangedTransfer;
      const { scale, symbol } = catalogue.coin(assetId).definition;
      return {
        [`${what} ${transferId}`]: `${status}: ${formatDecimal(amount, scale)} ${symbol}`,
      };
    }
    default:
      throw new TypeError(`no change is ${String(kind satisfies never)}`);
  }
}

function stepText({ atMs, status, forMs }: ScheduledStatus): string {
  const length = forMs === 0 ? "" : ` for ${lengthOf(forMs)}`;
  return `${timeOf(atMs)} ${status}${length}`;
}

/** Formats a time, such as "2026-03-01 14:05 UTC", with its seconds if it has any. */
function timeOf(timeMs: number): string {
  const text = new Date(timeMs).toISOString().slice(0, 19).replace("T", " ");
  return `${text.replace(/:00$/, "")} UTC`;
}

/** Formats a length of whole seconds, such as "10 min" or "1 min 40 s". */
function lengthOf(ms: number): string {
  const [minutes, seconds] = [Math.trunc(ms / 60_000), Math.trunc((ms % 60_000) / 1000)];
  const parts = [minutes === 0 ? "" : `${minutes} min`, seconds === 0 ? "" : `${seconds} s`];
  return parts.filter((part) => part !== "").join(" ");
}
