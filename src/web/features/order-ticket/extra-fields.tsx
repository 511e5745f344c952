import type { Dispatch } from "react";
import type { Market } from "#contract/types.ts";
import { TextBox } from "./text-box.tsx";
import type { fieldsOf } from "./ticket-options/ticket-options.ts";
import type { TicketAction, TicketState } from "./ticket-state.ts";

interface ExtraFieldsProps {
  /** Those of the order's options. */
  readonly fields: ReturnType<typeof fieldsOf>;
  readonly market: Market;
  readonly state: TicketState;
  readonly dispatch: Dispatch<TicketAction>;
  readonly errorOf: (field: string) => string | undefined;
}

/** The ticket's fields for options and exits. Loaded lazily, hence the default export. */
export default function ExtraFields(props: ExtraFieldsProps) {
  const { fields, market, state, dispatch, errorOf } = props;
  const box = { state, dispatch, errorOf };
  const { lotSize, priceDecimals, quantityDecimals, quote, tickSize } = market;
  const quantity = {
    unit: market.base,
    placeholder: "0",
    step: { size: lotSize, decimals: quantityDecimals, start: lotSize },
  };
  const start = state.priceText === "" ? null : state.priceText;
  const priceStep = { size: tickSize, decimals: priceDecimals, start };
  return (
    <>
      {fields.map(({ kind, name, label }) => (
        <TextBox
          key={name}
          {...box}
          field={name}
          label={label}
          {...(kind === "time" ? ({ type: "datetime-local" } as const) : quantity)}
        />
      ))}
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
