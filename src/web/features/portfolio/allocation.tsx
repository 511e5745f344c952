import type { Holding } from "#contract/types.ts";
import { formatShare } from "../../format/money.ts";
import { classNames } from "../../ui/class-names.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { Panel } from "../../ui/panel.tsx";

/** Adjacent colours differ most; none of the first resembles the colours of buying or selling. */
const COLOURS = [
  "bg-share-1",
  "bg-share-2",
  "bg-share-3",
  "bg-share-4",
  "bg-share-5",
  "bg-share-6",
  "bg-share-7",
  "bg-share-8",
  "bg-share-9",
  "bg-share-10",
  "bg-share-11",
  "bg-share-12",
  "bg-share-13",
  "bg-share-14",
  "bg-share-15",
  "bg-share-16",
] as const;

/** Shows the coins' shares of the equity, as bars that are also readable as a list. */
export function Allocation({ holdings }: { readonly holdings: readonly Holding[] }) {
  const shared = holdings.filter(({ share }) => share !== null && Number(share) > 0);
  return (
    <Panel title="Allocation" className="flex flex-col">
      {shared.length === 0 ? (
        <p className="px-4 py-8 text-center text-xs text-muted">Shows how your equity is spread.</p>
      ) : (
        <div className="p-4">
          <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-sm">
            {shared.map(({ coin, share }, index) => (
              <span
                key={coin}
                className={classNames("min-w-0.5", colourAt(index))}
                style={{ width: `${Number(share)}%` }}
              />
            ))}
          </div>
          <ul className="mt-4 space-y-2.5 text-xs">
            {shared.map(({ coin, name, share }, index) => (
              <li key={coin} className="flex items-center gap-2">
                <span aria-hidden className={classNames("size-2 rounded-[2px]", colourAt(index))} />
                <CoinIcon symbol={coin} className="size-4!" />
                <span className="font-medium">{coin}</span>
                <span className="min-w-0 flex-1 truncate text-faint">{name}</span>
                <span className="figures">{formatShare(share)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}

/** A coin's colour by position; after the last colour they repeat, and the names distinguish them. */
function colourAt(index: number): string {
  return COLOURS[index % COLOURS.length] ?? COLOURS[0];
}
