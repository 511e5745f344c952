import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { type CatalogueEntries, functions } from "#contract/functions.ts";
import { formatExact } from "../../../format/decimal-text.ts";
import { formatBps } from "../../../format/money.ts";
import { PanelLoading } from "../panel-loading.tsx";
import { EntriesPanel, type EntryColumn } from "./entries-panel.tsx";
import { ELIGIBILITY_TEXTS } from "./entry-fields.ts";

const COLUMNS: readonly EntryColumn<CatalogueEntries["plans"][number]>[] = [
  {
    head: "Plan",
    cell: ({ name, slug }) => (
      <>
        <span className="font-medium">{name}</span>{" "}
        <span className="text-faint max-sm:hidden">{slug}</span>
      </>
    ),
  },
  {
    head: "Who gets it",
    className: "max-sm:hidden",
    cell: ({ eligibility }) => <span className="text-muted">{ELIGIBILITY_TEXTS[eligibility]}</span>,
  },
  { head: "Maker", numeric: true, cell: ({ makerFeeBps }) => formatBps(makerFeeBps) },
  { head: "Taker", numeric: true, cell: ({ takerFeeBps }) => formatBps(takerFeeBps) },
  {
    head: "Price",
    numeric: true,
    className: "max-md:hidden",
    cell: ({ interval, price }, { settlementCoin }) =>
      price === "0"
        ? "Free"
        : `${formatExact(price)} ${settlementCoin}${interval === "month" ? " a month" : ""}`,
  },
  {
    head: "Open orders",
    numeric: true,
    className: "max-lg:hidden",
    cell: ({ openOrdersMax }) => formatExact(String(openOrdersMax)),
  },
  {
    head: "Ladder",
    numeric: true,
    className: "max-lg:hidden",
    cell: ({ volumeLadder }) =>
      volumeLadder === undefined
        ? "None"
        : `${volumeLadder.length} ${volumeLadder.length === 1 ? "tier" : "tiers"}`,
  },
];

/** The catalogue's plans, in order. A change is a new version, which applies to new orders. */
export function PlansPanel() {
  const { data, error } = useQuery(convexQuery(functions.catalogue.entries, {}));
  if (data === undefined) return <PanelLoading what="plans" error={error} className="h-96" />;
  return (
    <EntriesPanel
      kind="plan"
      title="Plans"
      newTitle="Add a plan"
      changeTitle={(slug) => `Change the plan ${slug}`}
      data={data}
      entries={data.plans}
      keyOf={({ slug }) => slug}
      nameOf={({ name }) => name}
      columns={COLUMNS}
    />
  );
}
