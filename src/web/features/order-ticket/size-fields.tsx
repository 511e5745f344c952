import type { Dispatch } from "react";
import { roundDecimal, trimDecimal } from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";
import { formatAmount } from "../../format/money.ts";
import { NumberInput } from "../../format/number-input.tsx";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { Field } from "../../ui/field.tsx";
import { PercentSlider } from "./percent-slider.tsx";
import type { TicketContext, TicketSummary } from "./ticket-context.ts";
import { isImmediateMarketOrder } from "./ticket-entries.ts";
import type { TicketAction, TicketState } from "./ticket-state.ts";

interface SizeFieldsProps {
  readonly context: TicketContext;
  readonly state: TicketState;
  readonly summary: TicketSummary;
  readonly dispatch: Dispatch<TicketAction>;
  readonly quantityError: string | undefined;
  readonly totalError: string | undefined;
}

/**
 * Fields for the size: in coins, in money or as a share of the available balance. Entering one updates
 * the others.
 */
export function SizeFields({
  context,
  state,
  summary,
  dispatch,
  quantityError,
  totalError,
}: SizeFieldsProps) {
  const { market, available } = context;
  const { sizing, side } = state;
  const isSignedIn = useIsSignedIn();
  const spends = side === "buy" ? market.quote : market.base;
  const owned = available === null ? null : side === "buy" ? available.quote : available.base;
  const decimals = side === "buy" ? market.quoteDecimals : market.quantityDecimals;
  return (
    <>
      <Field
        label="Quantity"
        error={quantityError}
        aside={
          isSignedIn ? (
            <span>
              Available{" "}
              <span className="figures text-text">{formatAmount(owned, decimals, spends)}</span>
            </span>
          ) : undefined
        }
      >
        {(control) => (
          <NumberInput
            {...control}
            name="quantity"
            enterKeyHint="send"
            placeholder="0"
            trailing={market.base}
            step={{
              size: market.lotSize,
              decimals: market.quantityDecimals,
              start: market.lotSize,
            }}
            value={sizing.kind === "quantity" ? sizing.text : fieldText(summary.quantity)}
            onChange={(text) => dispatch({ type: "quantityTyped", text })}
            onBlur={() => dispatch({ type: "fieldLeft", field: "quantity" })}
          />
        )}
      </Field>
      {isSignedIn ? (
        <PercentSlider
          side={side}
          percent={sizing.kind === "percent" ? sizing.percent : percentOf(summary)}
          onChange={(percent) => dispatch({ type: "percentChosen", percent })}
        />
      ) : null}
      <Field
        label={isImmediateMarketOrder(state) ? "Total (estimate)" : "Total"}
        error={totalError}
      >
        {(control) => (
          <NumberInput
            {...control}
            name="total"
            enterKeyHint="send"
            placeholder="0"
            trailing={market.quote}
            step={{ size: "1", decimals: market.quoteDecimals, start: "1" }}
            value={
              sizing.kind === "total"
                ? sizing.text
                : summary.total === null
                  ? ""
                  : roundDecimal(summary.total, market.quoteDecimals, "up")
            }
            onChange={(text) => dispatch({ type: "totalTyped", text })}
            onBlur={() => dispatch({ type: "fieldLeft", field: "total" })}
          />
        )}
      </Field>
    </>
  );
}

function fieldText(value: Decimal | null): string {
  return value === null ? "" : trimDecimal(value);
}

/** The typed size in percent of the maximum, above 100 if it is too large. Only drawn, hence a float. */
function percentOf({ quantity, quantityMax }: TicketSummary): number {
  const whole = Number(quantityMax ?? 0);
  return quantity === null || whole <= 0 ? 0 : Math.round((Number(quantity) / whole) * 100);
}
