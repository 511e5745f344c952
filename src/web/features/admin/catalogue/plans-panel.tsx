import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { formatExact } from "../../../format/decimal-text.ts";
import { formatBps } from "../../../format/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../../ui/table.tsx";
import { CatalogueLoading } from "./catalogue-loading.tsx";
import { ELIGIBILITY_TEXTS, versionIn } from "./entry-fields.ts";
import { EntryDialog } from "./entry-dialog.tsx";

/** The catalogue's plans, in order. A change is a new version, which applies to new orders. */
export function PlansPanel() {
  const { data, error } = useQuery(convexQuery(functions.catalogue.entries, {}));
  const [edited, setEdited] = useState<string | null>(null);
  if (data === undefined) return <CatalogueLoading what="plans" error={error} />;
  const { plans, settlementCoin } = data;
  return (
    <Panel
      title="Plans"
      aside={
        <Button size="sm" onClick={() => setEdited("")}>
          Add a plan
        </Button>
      }
    >
      <Table aria-label="Plans">
        <thead className="border-b">
          <tr>
            <TableHead>Plan</TableHead>
            <TableHead className="max-sm:hidden">Who gets it</TableHead>
            <TableHead numeric>Maker</TableHead>
            <TableHead numeric>Taker</TableHead>
            <TableHead numeric className="max-md:hidden">
              Price
            </TableHead>
            <TableHead numeric className="max-lg:hidden">
              Open orders
            </TableHead>
            <TableHead numeric className="max-lg:hidden">
              Ladder
            </TableHead>
            <TableHead className="sticky right-0 bg-surface">
              <span className="sr-only">Change</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {plans.map((plan) => (
            <TableRow key={plan.slug} className="group hover:bg-raised">
              <TableCell>
                <span className="font-medium">{plan.name}</span>{" "}
                <span className="text-faint max-sm:hidden">{plan.slug}</span>
              </TableCell>
              <TableCell className="text-muted max-sm:hidden">
                {ELIGIBILITY_TEXTS[plan.eligibility]}
              </TableCell>
              <TableCell numeric>{formatBps(plan.makerFeeBps)}</TableCell>
              <TableCell numeric>{formatBps(plan.takerFeeBps)}</TableCell>
              <TableCell numeric className="max-md:hidden">
                {plan.price === "0"
                  ? "Free"
                  : `${plan.price} ${settlementCoin}${plan.interval === "month" ? " a month" : ""}`}
              </TableCell>
              <TableCell numeric className="max-lg:hidden">
                {formatExact(String(plan.openOrdersMax))}
              </TableCell>
              <TableCell numeric className="max-lg:hidden">
                {plan.volumeLadder === undefined ? "None" : `${plan.volumeLadder.length} tiers`}
              </TableCell>
              <TableCell className="sticky right-0 bg-surface text-right group-hover:bg-raised">
                <Button
                  size="sm"
                  aria-label={`Change ${plan.name}`}
                  onClick={() => setEdited(plan.slug)}
                >
                  Change
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {edited === null ? null : (
        <EntryDialog
          kind="plan"
          listed={plans.find(({ slug }) => slug === edited) ?? null}
          version={versionIn(data, "plan", edited)}
          title={edited === "" ? "Add a plan" : `Change the plan ${edited}`}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}
