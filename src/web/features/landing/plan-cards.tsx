import { Check } from "lucide-react";
import type { Plan } from "#contract/plans.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatBps, formatMoney, formatQuantity } from "../../format/money.ts";

interface PlanCardsProps {
  readonly plans: readonly Plan[];
  readonly settlementCoin: string;
}

interface VolumeLadderProps {
  readonly tiers: Plan["volumeLadder"];
  readonly settlementCoin: string;
}

/** All plans side by side, with their fees and requirements. */
export function PlanCards({ plans, settlementCoin }: PlanCardsProps) {
  return (
    <ul className="grid gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-2 lg:grid-cols-4">
      {plans.map((plan) => (
        <li key={plan.slug} className="flex flex-col bg-surface p-5">
          <h3 className="text-base font-semibold">{plan.name}</h3>
          <p className="mt-1 min-h-10 text-xs text-muted">{plan.description}</p>
          <p className="mt-4 flex items-baseline gap-1.5">
            <span className="text-2xl font-semibold tracking-tight tabular">
              {plan.interval === "none" ? "0" : formatExact(plan.price)}
            </span>
            <span className="text-xs text-muted">
              {settlementCoin}
              {plan.interval === "month" ? " a month" : ""}
            </span>
          </p>
          <dl className="mt-4 border-y py-1 text-xs">
            <Row name="Maker fee" value={formatBps(plan.makerFeeBps)} />
            <Row name="Taker fee" value={formatBps(plan.takerFeeBps)} />
            <Row name="Largest order" value={largestOrderText(plan, settlementCoin)} />
            <Row
              name="Waiting orders, icebergs"
              value={formatQuantity(String(plan.algoOrdersMax), 0)}
            />
            <Row
              name="Orders in 10 seconds / a day"
              value={`${formatQuantity(String(plan.ordersPerTenSeconds), 0)} / ${formatQuantity(String(plan.ordersPerDay), 0)}`}
            />
          </dl>
          <VolumeLadder tiers={plan.volumeLadder} settlementCoin={settlementCoin} />
          <p className="mt-3 text-xs text-muted">{eligibilityText(plan, settlementCoin)}</p>
          <ul className="mt-3 space-y-1.5 text-xs text-muted">
            {plan.features.map((feature) => (
              <li key={feature} className="flex items-start gap-2">
                <Check className="mt-px size-3.5 shrink-0 text-accent" aria-hidden />
                {feature}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** Table of a plan's fees by 30-day volume. */
function VolumeLadder({ tiers, settlementCoin }: VolumeLadderProps) {
  if (tiers.length === 0) return null;
  return (
    <dl className="border-b py-1 text-xs">
      <Row name={`30-day volume, ${settlementCoin}`} value="Maker / taker" />
      {tiers.map(({ volumeMin, makerFeeBps, takerFeeBps }) => (
        <Row
          key={volumeMin}
          name={`From ${formatMoney(volumeMin, 0)}`}
          value={`${formatBps(makerFeeBps)} / ${formatBps(takerFeeBps)}`}
        />
      ))}
    </dl>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="flex justify-between gap-3 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="figures whitespace-nowrap text-text">{value}</dd>
    </div>
  );
}

function largestOrderText({ notionalMax }: Plan, settlementCoin: string): string {
  return notionalMax === null ? "No limit" : formatMoney(notionalMax, 0, settlementCoin);
}

function eligibilityText(plan: Plan, settlementCoin: string): string {
  switch (plan.eligibility) {
    case "everyone":
      return "Every account starts here.";
    case "volume":
      return `From a 30-day volume of ${formatMoney(plan.volumeMin, 0, settlementCoin)}.`;
    case "paid":
      return plan.breakEvenVolume === null
        ? "Paid monthly."
        : `Costs less than the free plan from ${formatMoney(plan.breakEvenVolume, 0, settlementCoin)} of taker volume a month.`;
    case "assigned":
      break;
  }
  return "Given by the operator.";
}
