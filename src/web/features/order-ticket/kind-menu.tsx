import type { Dispatch } from "react";
import type { MarketStatus, OrderType } from "#contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import type { SelectOption } from "../../ui/select.tsx";
import { takesRestingOnly } from "./market-rules.ts";
import type { Condition } from "./ticket-entries.ts";
import type { TicketAction, TicketState } from "./ticket-state.ts";

const TYPES: readonly { readonly type: OrderType; readonly label: string }[] = [
  { type: "limit", label: "Limit" },
  { type: "market", label: "Market" },
];

const CONDITIONS: readonly SelectOption<Condition>[] = [
  { value: "none", label: "More" },
  { value: "stop", label: "Stop" },
  { value: "takeProfit", label: "Take profit" },
  { value: "trailingStop", label: "Trailing stop" },
  { value: "oco", label: "OCO" },
];

const TAB = "h-8 border-b-2 text-xs font-medium transition-colors";
const CHOSEN_CLASS = "border-accent text-text";
const OTHER_CLASS = "border-transparent text-muted hover:text-text disabled:opacity-50";

interface KindMenuProps {
  readonly state: TicketState;
  readonly status: MarketStatus;
  readonly dispatch: Dispatch<TicketAction>;
}

/** A menu of the order kinds that the market accepts in its present state. */
export function KindMenu({ state, status, dispatch }: KindMenuProps) {
  const { type: chosen, condition } = state;
  const isRestingOnly = takesRestingOnly(status);
  return (
    <fieldset aria-label="Order type" className="flex gap-4">
      {TYPES.map(({ type, label }) => (
        <button
          key={type}
          type="button"
          disabled={isRestingOnly && type === "market"}
          aria-pressed={condition === "none" && chosen === type}
          onClick={() => dispatch({ type: "typeChosen", orderType: type })}
          className={classNames(
            TAB,
            condition === "none" && chosen === type ? CHOSEN_CLASS : OTHER_CLASS,
          )}
        >
          {label}
        </button>
      ))}
      <PlainSelect
        aria-label="More order types"
        value={condition}
        disabled={isRestingOnly}
        options={CONDITIONS}
        onChange={(next) =>
          dispatch(
            next === "none"
              ? { type: "typeChosen", orderType: chosen }
              : { type: "conditionChosen", condition: next },
          )
        }
        className={classNames(
          TAB,
          "rounded-none! pl-0!",
          condition === "none" ? OTHER_CLASS : "border-b-accent! text-text",
        )}
      />
    </fieldset>
  );
}
