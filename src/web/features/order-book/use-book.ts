import { useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Decimal, Market } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import type { BookChoices } from "./book-choices.ts";
import { type BookRow, groupingSteps, readRows, stepDecimals } from "./book-view.ts";

/** Levels to request if only one side is displayed, which then has more room. */
const LEVELS_OF_ONE_SIDE = 50;

interface ShownBook {
  readonly bids: readonly BookRow[];
  readonly asks: readonly BookRow[];
  readonly step: Decimal;
  readonly isGrouped: boolean;
  readonly priceDecimals: number;
}

interface LiveBook {
  /** The chosen grouping step, and the steps to choose from. */
  readonly step: Decimal;
  readonly steps: readonly Decimal[];
  /** The book to display; null until the first answer. */
  readonly shown: ShownBook | null;
  /** Whether the displayed book still has the previous grouping or sides. */
  readonly isChanging: boolean;
  /** The best prices before grouping. */
  readonly bid: Decimal | undefined;
  readonly ask: Decimal | undefined;
  readonly error: Error | null;
}

/**
 * The market's book with the chosen grouping and sides. While another choice loads, the previous book
 * is returned.
 */
export function useBook(market: Market, { sides, groupings }: BookChoices): LiveBook {
  const { symbol, tickSize } = market;
  const { data: exact } = useFrameQuery(functions.markets.book, { market: symbol });
  const bid = exact?.bids[0];
  const ask = exact?.asks[0];
  // The price from which the available steps are derived. Set by the first book, so that the menu never
  // changes while it is in use.
  const [reference, setReference] = useState<Decimal | null>(null);
  if (reference === null && bid !== undefined) setReference(bid);
  const tick = useMemo(() => groupingSteps(tickSize, null)[0] ?? tickSize, [tickSize]);
  const steps = useMemo(() => groupingSteps(tickSize, reference), [tickSize, reference]);
  const chosen = groupings[symbol];
  const step =
    chosen !== undefined && groupingSteps(tickSize, null).includes(chosen) ? chosen : tick;
  const levels = sides === "both" ? undefined : LEVELS_OF_ONE_SIDE;
  const [answered, setAnswered] = useState({ step, levels });
  const isAnswered = answered.step === step && answered.levels === levels;
  const wanted = useFrameQuery(functions.markets.book, argsOf(symbol, step, tick, levels));
  const kept = useFrameQuery(
    functions.markets.book,
    argsOf(symbol, answered.step, tick, answered.levels),
  );
  if (!isAnswered && wanted.data !== undefined) setAnswered({ step, levels });
  const book = wanted.data ?? kept.data;
  const shownStep = wanted.data === undefined ? answered.step : step;
  const shown = useMemo((): ShownBook | null => {
    if (book === undefined) return null;
    const isGrouped = shownStep !== tick;
    return {
      bids: readRows(book.bids),
      asks: readRows(book.asks),
      step: shownStep,
      isGrouped,
      priceDecimals: isGrouped ? stepDecimals(shownStep) : market.priceDecimals,
    };
  }, [book, shownStep, tick, market.priceDecimals]);
  return {
    step,
    steps: steps.includes(step) ? steps : [...steps, step],
    shown,
    isChanging: shown !== null && wanted.data === undefined,
    bid,
    ask,
    error: wanted.error,
  };
}

function argsOf(market: string, step: Decimal, tick: Decimal, levels: number | undefined) {
  return {
    market,
    ...(step === tick ? {} : { grouping: step }),
    ...(levels === undefined ? {} : { levels }),
  };
}
