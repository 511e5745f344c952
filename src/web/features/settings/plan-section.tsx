import { useState } from "react";
import { Amount } from "../../format/amount.tsx";
import { formatBps, formatShare } from "../../format/money.ts";
import { Button } from "../../ui/button.tsx";
import { Figure, Figures } from "../../ui/figure.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { usePlanFacts } from "./plan-facts.ts";
import { feeReason, nextFeeTierText, periodText, type PlanFacts } from "./plan-texts.ts";
import { SettingsSection } from "./settings-section.tsx";

const ChangePlanDialog = lazyComponent(async () => {
  const { ChangePlanDialog: Component } = await import("./change-plan-dialog.tsx");
  return { default: Component };
});

/** The current plan, its price and benefits, and a button to change it. */
export function PlanSection() {
  const facts = usePlanFacts();
  const { mine } = facts;
  const [isOpen, setIsOpen] = useState(false);
  const period = periodText(facts);
  return (
    <SettingsSection
      id="plan"
      title="Plan"
      text={
        <a href="/#plans" className="touchable rounded-sm text-accent hover:underline">
          Compare plans
        </a>
      }
    >
      <Figures className="grid-cols-3">
        <Figure label="Plan" value={mine.name} />
        <Figure label="Maker fee" value={formatBps(mine.makerFeeBps)} />
        <Figure label="Taker fee" value={formatBps(mine.takerFeeBps)} />
      </Figures>
      <p className="mt-2 text-xs text-pretty text-muted">{feeReason(facts)}</p>
      <VolumeProgress facts={facts} />
      {period === null ? null : <p className="mt-4 text-sm text-pretty">{period}</p>}
      {mine.isFrozen ? (
        <p className="mt-4 text-sm text-pretty text-warn">
          Your account is frozen: it changes no plan. Ask the operator.
        </p>
      ) : null}
      <Button className="mt-4" onClick={() => setIsOpen(true)}>
        Change plan
      </Button>
      {isOpen ? (
        <PanelBoundary className="mt-3">
          <ChangePlanDialog facts={facts} onClose={() => setIsOpen(false)} />
        </PanelBoundary>
      ) : null}
    </SettingsSection>
  );
}

/** The user's 30-day volume, and the progress towards lower fees. */
function VolumeProgress({ facts }: { readonly facts: PlanFacts }) {
  const { mine, coin } = facts;
  const { nextFeeTier } = mine;
  return (
    <div className="mt-4">
      <dl className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div className="flex items-baseline gap-2">
          <dt className="text-xs text-muted">30-day volume</dt>
          <dd className="text-sm font-medium tabular">
            <Amount amount={mine.volume} coin={coin} />
          </dd>
        </div>
        <div className="flex items-baseline gap-2 text-xs">
          <dt className="text-muted">Today, added at midnight UTC</dt>
          <dd className="tabular">
            <Amount amount={mine.volumeToday} coin={coin} />
          </dd>
        </div>
      </dl>
      {nextFeeTier === null ? null : (
        <progress
          aria-label="Volume on the way to the next fee tier"
          aria-valuetext={formatShare(nextFeeTier.progressPercent)}
          max={100}
          value={Number(nextFeeTier.progressPercent)}
          className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-pressed [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-pressed [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent"
        />
      )}
      <p className="mt-2 text-xs text-pretty text-muted">{nextFeeTierText(facts)}</p>
    </div>
  );
}
