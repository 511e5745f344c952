import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { type CatalogueEntries, functions } from "#contract/functions.ts";
import { coinStatusText } from "../../../format/coin-status.ts";
import { Badge } from "../../../ui/badge.tsx";
import { PanelLoading } from "../panel-loading.tsx";
import { EntriesPanel, type EntryColumn } from "./entries-panel.tsx";
import { COIN_KIND_TEXTS } from "./entry-fields.ts";

const COLUMNS: readonly EntryColumn<CatalogueEntries["coins"][number]>[] = [
  {
    head: "Coin",
    cell: ({ name, symbol }) => (
      <>
        <span className="font-medium">{symbol}</span> <span className="text-muted">{name}</span>
      </>
    ),
  },
  {
    head: "Kind",
    className: "max-md:hidden",
    cell: ({ kind }) => <span className="text-muted">{COIN_KIND_TEXTS[kind]}</span>,
  },
  {
    head: "Status",
    cell: ({ status }) => (
      <Badge tone={status === "listed" ? "buy" : "warn"}>{coinStatusText(status)}</Badge>
    ),
  },
  {
    head: "Decimals shown",
    numeric: true,
    className: "max-sm:hidden",
    cell: ({ decimals, shownDecimals }) => `${shownDecimals} of ${decimals}`,
  },
  {
    head: "Markets",
    numeric: true,
    className: "max-sm:hidden",
    cell: ({ symbol }, { markets }) =>
      markets.filter((market) => market.symbol.split("-").includes(symbol)).length,
  },
  {
    head: "Website",
    className: "max-w-60 truncate max-lg:hidden",
    cell: ({ website }) =>
      (website ?? "") === "" ? (
        <span className="text-faint">None</span>
      ) : (
        <a
          href={website}
          target="_blank"
          rel="noopener noreferrer"
          className="rounded-sm text-accent hover:underline"
        >
          {website}
        </a>
      ),
  },
];

/** The catalogue's coins, hidden ones included: edits them and lists new ones. */
export function CoinsPanel() {
  const { data, error } = useQuery(convexQuery(functions.catalogue.entries, {}));
  if (data === undefined) return <PanelLoading what="coins" error={error} className="h-96" />;
  return (
    <EntriesPanel
      kind="coin"
      title="Coins"
      newTitle="List a coin"
      changeTitle={(symbol) => `Change ${symbol}`}
      data={data}
      entries={data.coins}
      keyOf={({ symbol }) => symbol}
      nameOf={({ symbol }) => symbol}
      columns={COLUMNS}
    />
  );
}
