import { ChevronDown } from "lucide-react";
import * as Popover from "radix-ui/popover";
import { useState } from "react";
import type { Market } from "#contract/types.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { MarketList } from "./market-list.tsx";

interface MarketSwitcherProps {
  /** null where the address names no market that exists. */
  readonly market: Market | null;
  readonly onChoose: (symbol: string) => void;
}

/** The name of the market, which opens the list of all markets. */
export function MarketSwitcher({ market, onChoose }: MarketSwitcherProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        className="flex h-10 shrink-0 items-center gap-2 rounded-md px-2 hover:bg-hover"
        aria-label={market === null ? "Choose a market" : `${market.symbol}, choose another market`}
      >
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
          </>
        )}
        <ChevronDown className="size-4 text-faint" aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Markets"
          className="z-50 flex max-h-[min(34rem,80dvh)] w-[min(30rem,calc(100vw-1rem))] flex-col rounded-lg border border-line-strong bg-raised shadow-2xl"
        >
          <MarketList
            current={market?.symbol ?? null}
            onChoose={(symbol) => {
              setOpen(false);
              onChoose(symbol);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
