import { useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Decimal, Market } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import type { BookChoices } from "./book-choices.ts";
import { type BookRow, groupingSteps, readRows, stepDecimals } from "./book-view.ts";

/** One side alone has room for more levels. */
const LEVELS_OF_ONE_SIDE = 50;

interface ShownBook {
  readonly bids: readonly BookRow[];
  readonly asks: readonly BookRow[];
  readonly step: Decimal;
  readonly isGrouped: boolean;
  readonly priceDecimals: number;
}

interface LiveBook {
  /** The chosen step, and those to choose from. */
  readonly step: Decimal;
  readonly steps: readonly Decimal[];
  /** null until the first answer. */
  readonly shown: ShownBook | null;
  /** The book on the screen is still the one of the previous choice. */
  readonly isChanging: boolean;
  /** The true best prices, whatever the step. */
  readonly bid: Decimal | undefined;
  readonly ask: Decimal | undefined;
  readonly error: Error | null;
}

/** The market's book as chosen. While another choice loads, the previous book stays. */
export function useBook(market: Market, { sides, groupings }: BookChoices): LiveBook {
  const { symbol, tickSize } = market;
  const { data: exact } = useFrameQuery(functions.markets.book, { market: symbol });
  const bid = exact?.bids[0];
  const ask = exact?.asks[0];
  // Fixed by the first book received, so that the list does not change under the pointer.
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
