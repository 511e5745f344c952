import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type KeyboardEvent, useCallback, useRef } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Ticker } from "#contract/types.ts";
import { directionOf, formatPercent } from "../../format/money.ts";
import { useShortcut } from "../../keyboard/use-shortcut.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Change } from "../../ui/price-change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { closeMarket, neighbourOf, useOpenMarkets } from "./open-markets.ts";

interface MarketTabsProps {
  readonly markets: readonly Market[];
  readonly current: Market;
  readonly onChoose: (symbol: string) => void;
}

/** Tabs of the open markets. */
export function MarketTabs({ markets, current, onChoose }: MarketTabsProps) {
  const open = useOpenMarkets(markets, current);
  const symbols = open.map(({ symbol }) => symbol);
  const list = useRef<HTMLUListElement>(null);
  const choose = (step: number) => {
    const next = symbols.at((symbols.indexOf(current.symbol) + step) % symbols.length);
    if (next !== undefined && next !== current.symbol) onChoose(next);
  };
  useShortcut("previousMarket", () => choose(-1));
  useShortcut("nextMarket", () => choose(1));
  const close = (symbol: string) => {
    const next = neighbourOf(symbols, symbol);
    if (next === undefined) return;
    focusTab(list.current, next);
    if (symbol === current.symbol) onChoose(next);
    closeMarket(symbol);
  };
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    const focused = (event.target as Element).closest<HTMLElement>("[data-tab]")?.dataset["tab"];
    if (focused === undefined) return;
    if (event.key === "Delete") close(focused);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const step = event.key === "ArrowLeft" ? -1 : 1;
      focusTab(list.current, symbols.at((symbols.indexOf(focused) + step) % symbols.length));
    } else return;
    event.preventDefault();
  };
  return (
    <nav aria-label="Open markets" className="min-w-0 flex-1">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from its links */}
      <ul
        ref={list}
        onKeyDown={moveFocus}
        className="flex h-full items-stretch overflow-x-auto [scrollbar-width:none]"
      >
        {open.map((market) => (
          <Tab
            key={market.symbol}
            market={market}
            isCurrent={market.symbol === current.symbol}
            onClose={open.length > 1 ? close : undefined}
          />
        ))}
      </ul>
    </nav>
  );
}

interface TabProps {
  readonly market: Market;
  readonly isCurrent: boolean;
  /** Closes the tab; undefined for the only tab, which cannot be closed. */
  readonly onClose: ((symbol: string) => void) | undefined;
}

function Tab({ market: { symbol, base, quote }, isCurrent, onClose }: TabProps) {
  const select = useCallback(
    (tickers: Ticker[]) => tickers.find(({ market }) => market === symbol)?.change24h ?? null,
    [symbol],
  );
  const { data: change = null } = useFrameQuery(functions.markets.tickers, {}, select);
  return (
    <li
      data-tab={symbol}
      className={classNames(
        "relative flex shrink-0 items-center border-r text-xs",
        isCurrent ? "bg-surface" : "hover:bg-hover",
      )}
    >
      <Link
        to="/trade"
        search={{ market: symbol }}
        resetScroll={false}
        aria-current={isCurrent ? "page" : undefined}
        className={classNames(
          "flex h-full items-center gap-2 border-t-2 pl-3 focus-visible:-outline-offset-2",
          onClose === undefined ? "pr-3" : "pr-1",
          isCurrent ? "border-accent font-medium text-text" : "border-transparent text-muted",
        )}
      >
        <span>
          {base}
          <span className="text-faint">/{quote}</span>
        </span>
        <Change
          text={formatPercent(change)}
          direction={directionOf(change)}
          className="live-data text-2xs"
        />
      </Link>
      {onClose === undefined ? null : (
        <button
          type="button"
          aria-label={`Close ${symbol}`}
          onClick={() => onClose(symbol)}
          className="mr-1 grid size-6 place-items-center rounded-sm text-faint hover:bg-pressed hover:text-text focus-visible:-outline-offset-2"
        >
          <X className="size-3" aria-hidden />
        </button>
      )}
    </li>
  );
}

function focusTab(list: HTMLElement | null, symbol: string | undefined): void {
  if (symbol === undefined) return;
  list?.querySelector<HTMLElement>(`[data-tab="${symbol}"] a`)?.focus();
}
