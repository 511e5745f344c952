import type { Dispatch } from "react";
import type { Market } from "#contract/types.ts";
import { TextBox } from "./text-box.tsx";
import { mayRest, type TicketAction, type TicketState } from "./ticket-state.ts";

interface ExtraFieldsProps {
  readonly market: Market;
  readonly state: TicketState;
  readonly dispatch: Dispatch<TicketAction>;
  readonly errorOf: (field: string) => string | undefined;
}

/** The ticket's fields for icebergs, expiry and exits. Loaded lazily, hence the default export. */
export default function ExtraFields({ market, state, dispatch, errorOf }: ExtraFieldsProps) {
  const box = { state, dispatch, errorOf };
  const { lotSize, priceDecimals, quantityDecimals, quote, tickSize } = market;
  const start = state.priceText === "" ? null : state.priceText;
  const priceStep = { size: tickSize, decimals: priceDecimals, start };
  return (
    <>
      {state.isIceberg && mayRest(state) ? (
        <TextBox
          {...box}
          field="display"
          label="Visible quantity"
          unit={market.base}
          placeholder="0"
          step={{ size: lotSize, decimals: quantityDecimals, start: lotSize }}
        />
      ) : null}
      {state.type === "limit" && state.timeInForce === "gtd" ? (
        <TextBox {...box} field="end" label="End" type="datetime-local" />
      ) : null}
      {state.hasExits && state.condition === "none" ? (
        <fieldset aria-label="Take-profit and stop-loss" className="grid grid-cols-2 gap-2">
          <TextBox
            {...box}
            field="takeProfit"
            label="Take-profit"
            unit={quote}
            placeholder="None"
            step={priceStep}
          />
          <TextBox
            {...box}
            field="stopLoss"
            label="Stop-loss"
            unit={quote}
            placeholder="None"
            step={priceStep}
          />
          <p className="col-span-2 text-2xs text-muted">
            Placed when this order has filled, for all that it brought; one ends the other.
          </p>
        </fieldset>
      ) : null}
    </>
  );
}
