import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";

/** Code of the words, loaded when they are opened. */
const CoinDetails = lazyComponent(() => import("./coin-details.tsx"));

/**
 * A button that opens what the operator says about a coin, or both coins of a market. Its sign is a letter: an
 * icon would be more code on the trade page.
 */
export function CoinDetailsButton({ symbol }: { readonly symbol: string }) {
  const label = `About ${symbol}`;
  return (
    <Popover
      label={label}
      triggerLabel={label}
      triggerClassName="size-8 rounded-md text-muted hover:bg-hover"
      className="w-80 p-4"
      trigger="ⓘ"
    >
      {() => (
        <PanelBoundary>
          <CoinDetails symbol={symbol} />
        </PanelBoundary>
      )}
    </Popover>
  );
}
