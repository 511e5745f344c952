import type { CurrentUser } from "#contract/types.ts";
import { formatBps } from "../../format/money.ts";
import { Figure, Figures } from "../../ui/figure.tsx";
import { SettingsSection } from "./settings-section.tsx";

export function PlanSection({ plan }: { readonly plan: CurrentUser["plan"] }) {
  return (
    <SettingsSection
      id="plan"
      title="Plan"
      text={
        <a href="/#plans" className="rounded-sm text-accent hover:underline">
          Compare plans
        </a>
      }
    >
      <Figures className="grid-cols-3">
        <Figure label="Plan" value={plan.name} />
        <Figure label="Maker fee" value={formatBps(plan.makerFeeBps)} />
        <Figure label="Taker fee" value={formatBps(plan.takerFeeBps)} />
      </Figures>
    </SettingsSection>
  );
}
