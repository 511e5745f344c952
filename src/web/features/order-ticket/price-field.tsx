import { type Dispatch, useEffect, useRef } from "react";
import type { Book, Decimal, Market } from "#contract/types.ts";
import { formatPrice, formatShare } from "../../format/money.ts";
import { NumberInput } from "../../format/number-input.tsx";
import { Field } from "../../ui/field.tsx";
import { middlePrice } from "./middle-price.ts";
import type { TicketAction, TicketState } from "./ticket-state.ts";

const DEVIATION_SHOWN_PERCENT = 0.1;

interface PriceFieldProps {
  readonly market: Market;
  readonly book: Book | null;
  readonly state: TicketState;
  /** Deviation from the market's price in percent, positive if worse; null if unknown. */
  readonly deviation: Decimal | null;
  readonly dispatch: Dispatch<TicketAction>;
  readonly error: string | undefined;
}

/** The limit price field; arrow keys step it by one tick, with Shift by ten. */
export function PriceField(props: PriceFieldProps) {
  const { market, book, state, deviation, dispatch, error } = props;
  const bid = book?.bids[0] ?? null;
  const ask = book?.asks[0] ?? null;
  const middle =
    bid === null || ask === null
      ? null
      : middlePrice(bid, ask, market.tickSize, market.priceDecimals);
  const own = state.side === "buy" ? (bid ?? ask) : (ask ?? bid);
  useOfferedPrice(`${market.symbol} ${state.side}`, own, dispatch);

  return (
    <Field
      label={state.condition === "none" ? "Price" : "Limit price"}
      error={error}
      hint={state.isPriceOffered ? undefined : deviationText(state, deviation)}
      aside={
        <span className="flex gap-2.5">
          <Shortcut label="Bid" price={bid} dispatch={dispatch} />
          <Shortcut label="Mid" price={middle} dispatch={dispatch} />
          <Shortcut label="Ask" price={ask} dispatch={dispatch} />
        </span>
      }
    >
      {(control) => (
        <NumberInput
          {...control}
          name="price"
          enterKeyHint="send"
          placeholder={own === null ? "0" : formatPrice(own, market.priceDecimals)}
          trailing={market.quote}
          step={{ size: market.tickSize, decimals: market.priceDecimals, start: own }}
          value={state.priceText}
          onChange={(text) => dispatch({ type: "priceTyped", text })}
          onBlur={() => dispatch({ type: "fieldLeft", field: "price" })}
        />
      )}
    </Field>
  );
}

/** "2.10% below the market"; undefined for a price close to the market's. */
function deviationText({ side, condition }: TicketState, deviation: Decimal | null) {
  if (deviation === null || Math.abs(Number(deviation)) < DEVIATION_SHOWN_PERCENT) return undefined;
  const isAbove = (side === "buy") === !deviation.startsWith("-");
  const what = condition === "none" || condition === "oco" ? "market" : "trigger";
  return `${formatShare(deviation.replace("-", ""))} ${isAbove ? "above" : "below"} the ${what}`;
}

function Shortcut({
  label,
  price,
  dispatch,
}: {
  readonly label: string;
  readonly price: Decimal | null;
  readonly dispatch: Dispatch<TicketAction>;
}) {
  return (
    <button
      type="button"
      disabled={price === null}
      aria-label={`Use the ${label.toLowerCase()} price`}
      onClick={() => price !== null && dispatch({ type: "priceChosen", price })}
      className="touchable min-w-6 rounded-sm text-xs text-muted hover:text-accent disabled:opacity-50"
    >
      {label}
    </button>
  );
}

/**
 * Fills in the market's price once per market and side, so that a first order needs only a size. If
 * the user clears the field, it stays empty, and nothing is put where the user is about to type.
 */
function useOfferedPrice(
  marketAndSide: string,
  price: Decimal | null,
  dispatch: Dispatch<TicketAction>,
): void {
  const offered = useRef<string | null>(null);
  useEffect(() => {
    if (price === null || offered.current === marketAndSide) return;
    if (document.activeElement?.getAttribute("name") === "price") return;
    offered.current = marketAndSide;
    dispatch({ type: "priceOffered", price });
  }, [marketAndSide, price, dispatch]);
}
