import { SearchX } from "lucide-react";
import { MarketSwitcher } from "../../../features/market-switcher/market-switcher.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";

interface MarketMissingProps {
  readonly symbol: string | undefined;
  readonly onChoose: (symbol: string) => void;
}

/** Shown if the URL names an unknown market. Loaded lazily, hence the default export. */
export default function MarketMissing({ symbol, onChoose }: MarketMissingProps) {
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex h-14 items-center border-b bg-surface px-2">
        <MarketSwitcher market={null} onChoose={onChoose} />
      </div>
      <h1 className="sr-only">Trade</h1>
      <div className="grid flex-1 place-items-center">
        <EmptyState
          icon={SearchX}
          title={symbol === undefined ? "No markets yet" : `There is no market ${symbol}`}
          text={
            symbol === undefined
              ? "Markets appear here once they are listed."
              : "Choose one from the list at the top left."
          }
        />
      </div>
    </div>
  );
}
