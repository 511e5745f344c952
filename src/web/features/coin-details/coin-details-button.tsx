import { Info } from "lucide-react";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";

/** Code of the words, loaded when they are opened. */
const CoinDetails = lazyComponent(() => import("./coin-details.tsx"));

/** A button that opens the operator's description of a coin, or of both coins of a market. */
export function CoinDetailsButton({ symbol }: { readonly symbol: string }) {
  const label = `About ${symbol}`;
  return (
    <Popover
      label={label}
      triggerLabel={label}
      triggerClassName="grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
      className="w-80 p-4"
      trigger={<Info className="size-4" aria-hidden />}
    >
      {() => (
        <PanelBoundary>
          <CoinDetails symbol={symbol} />
        </PanelBoundary>
      )}
    </Popover>
  );
}
