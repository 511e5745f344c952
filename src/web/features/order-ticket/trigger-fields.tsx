import type { Dispatch } from "react";
import type { Decimal, Market, OrderType } from "#contract/types.ts";
import { formatPrice } from "../../format/money.ts";
import { TextBox } from "./text-box.tsx";
import type { TicketAction, TicketState } from "./ticket-state.ts";

const TRAIL_STEP = { size: "0.1", decimals: 2, start: "2.5" };

interface TriggerFieldsProps {
  readonly market: Market;
  readonly last: Decimal | null;
  readonly state: TicketState;
  readonly dispatch: Dispatch<TicketAction>;
  readonly errorOf: (field: string) => string | undefined;
}

const EXECUTIONS: readonly { readonly value: OrderType; readonly label: string }[] = [
  { value: "market", label: "Then at the market" },
  { value: "limit", label: "Then at a limit" },
];

/**
 * The ticket's fields for an order's trigger and its type after it. Loaded lazily, hence the default
 * export.
 */
export default function TriggerFields(props: TriggerFieldsProps) {
  const { market, last, state, dispatch, errorOf } = props;
  const box = { state, dispatch, errorOf };
  return (
    <>
      {state.condition === "trailingStop" ? (
        <TextBox
          {...box}
          field="trail"
          label="Distance"
          unit="%"
          placeholder="2.5"
          step={TRAIL_STEP}
        />
      ) : (
        <TextBox
          {...box}
          field="trigger"
          label={state.condition === "oco" ? "Stop price" : "Trigger price"}
          unit={market.quote}
          step={{ size: market.tickSize, decimals: market.priceDecimals, start: last }}
          placeholder={last === null ? "0" : formatPrice(last, market.priceDecimals)}
        />
      )}
      {state.condition === "oco" ? null : (
        <fieldset aria-label="When it is triggered" className="grid grid-cols-2 gap-1">
          {EXECUTIONS.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={state.type === value}
              onClick={() => dispatch({ type: "executionChosen", orderType: value })}
              className="h-7 rounded-sm border border-line text-2xs text-muted transition-colors hover:border-control hover:text-text aria-pressed:border-control aria-pressed:bg-hover aria-pressed:text-text"
            >
              {label}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}
