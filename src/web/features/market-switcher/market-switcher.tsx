import { ChevronDown } from "lucide-react";
import { useRef } from "react";
import type { Market } from "#contract/types.ts";
import { useShortcut } from "../../keyboard/use-shortcut.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";

/** Code of the list, loaded when it is opened. */
const MarketList = lazyComponent(() => import("./market-list.tsx"));

interface MarketSwitcherProps {
  /** The current market; null if the URL names no existing one. */
  readonly market: Market | null;
  readonly onChoose: (symbol: string) => void;
}

/** A button with the market's name that opens the list of all markets. */
export function MarketSwitcher({ market, onChoose }: MarketSwitcherProps) {
  const root = useRef<HTMLDivElement>(null);
  useShortcut("chooseMarket", () => root.current?.querySelector("button")?.click());
  return (
    <div ref={root} className="shrink-0">
      <Popover
        label="Markets"
        triggerClassName="relative flex h-10 shrink-0 items-center gap-2 rounded-md px-2 hover:bg-hover"
        className="h-[min(34rem,80dvh)] w-[min(30rem,calc(100vw-1rem))] rounded-lg open:flex open:flex-col"
        trigger={
          <>
            {market === null ? (
              <span className="text-sm font-medium">Choose a market</span>
            ) : (
              <>
                <CoinIcon symbol={market.base} />
                <span className="text-left leading-tight">
                  <span className="block text-sm font-semibold">
                    {market.base}
                    <span className="text-faint">/{market.quote}</span>
                  </span>
                  <span className="block text-2xs text-muted">{market.baseName}</span>
                </span>
                <span className="sr-only">, choose another market</span>
              </>
            )}
            <ChevronDown className="size-4 text-faint" aria-hidden />
          </>
        }
      >
        {(close) => (
          <PanelBoundary>
            <MarketList
              current={market?.symbol ?? null}
              onChoose={(symbol) => {
                close();
                onChoose(symbol);
              }}
            />
          </PanelBoundary>
        )}
      </Popover>
    </div>
  );
}
