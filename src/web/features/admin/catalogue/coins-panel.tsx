import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../../ui/table.tsx";
import { CatalogueLoading } from "./catalogue-loading.tsx";
import { COIN_STATUS_TEXTS, versionIn } from "./entry-fields.ts";
import { EntryDialog } from "./entry-dialog.tsx";

/** The catalogue's coins, hidden ones included: edits them and lists new ones. */
export function CoinsPanel() {
  const { data, error } = useQuery(convexQuery(functions.catalogue.entries, {}));
  const [edited, setEdited] = useState<string | null>(null);
  if (data === undefined) return <CatalogueLoading what="coins" error={error} />;
  const { coins, markets } = data;
  const marketsOf = (symbol: string) =>
    markets.filter((market) => market.symbol.split("-").includes(symbol)).length;
  return (
    <Panel
      title="Coins"
      aside={
        <Button size="sm" onClick={() => setEdited("")}>
          List a coin
        </Button>
      }
    >
      <Table aria-label="Coins">
        <thead className="border-b">
          <tr>
            <TableHead>Coin</TableHead>
            <TableHead className="max-md:hidden">Kind</TableHead>
            <TableHead>Status</TableHead>
            <TableHead numeric className="max-sm:hidden">
              Decimals
            </TableHead>
            <TableHead numeric className="max-sm:hidden">
              Markets
            </TableHead>
            <TableHead className="max-lg:hidden">Website</TableHead>
            <TableHead className="sticky right-0 bg-surface">
              <span className="sr-only">Change</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {coins.map((coin) => (
            <TableRow key={coin.symbol} className="group hover:bg-raised">
              <TableCell>
                <span className="font-medium">{coin.symbol}</span>{" "}
                <span className="text-muted">{coin.name}</span>
              </TableCell>
              <TableCell className="text-muted max-md:hidden">{coin.kind}</TableCell>
              <TableCell>
                <Badge tone={coin.status === "listed" ? "buy" : "warn"}>
                  {COIN_STATUS_TEXTS[coin.status]}
                </Badge>
              </TableCell>
              <TableCell numeric className="max-sm:hidden">
                {coin.shownDecimals} of {coin.decimals}
              </TableCell>
              <TableCell numeric className="max-sm:hidden">
                {marketsOf(coin.symbol)}
              </TableCell>
              <TableCell className="max-w-60 truncate text-muted max-lg:hidden">
                {coin.website}
              </TableCell>
              <TableCell className="sticky right-0 bg-surface text-right group-hover:bg-raised">
                <Button
                  size="sm"
                  aria-label={`Change ${coin.symbol}`}
                  onClick={() => setEdited(coin.symbol)}
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
          kind="coin"
          listed={coins.find(({ symbol }) => symbol === edited) ?? null}
          version={versionIn(data, "coin", edited)}
          title={edited === "" ? "List a coin" : `Change ${edited}`}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}
