import type { Dispatch } from "react";
import { SELF_TRADE_NAMES } from "#contract/self-trade-names.ts";
import {
  SELF_TRADE_PREVENTIONS,
  type SelfTradePrevention,
  type TimeInForce,
} from "#contract/types.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";
import type { SelectOption } from "../../ui/select.tsx";
import { isImmediateMarketOrder } from "./ticket-entries.ts";
import { TICKET_OPTIONS } from "./ticket-options/ticket-options.ts";
import type { TicketAction, TicketState } from "./ticket-state.ts";

const TIMES_IN_FORCE: readonly SelectOption<TimeInForce>[] = [
  { value: "gtc", label: "GTC · until cancelled" },
  { value: "gtd", label: "GTD · until a time" },
  { value: "ioc", label: "IOC · now, rest ends" },
  { value: "fok", label: "FOK · all now or none" },
];
/** Times in force for the limit order of an OCO, which must be able to rest. */
const RESTING_TIMES_IN_FORCE = TIMES_IN_FORCE.slice(0, 2);

const CAP_OPTIONS: readonly SelectOption<string>[] = [
  { value: "", label: "No slippage cap" },
  { value: "10", label: "Slippage ≤ 0.1 %" },
  { value: "50", label: "Slippage ≤ 0.5 %" },
  { value: "100", label: "Slippage ≤ 1 %" },
  { value: "300", label: "Slippage ≤ 3 %" },
];

const SELF_TRADE_OPTIONS: readonly SelectOption<SelfTradePrevention | "">[] = [
  { value: "", label: "STP default" },
  ...SELF_TRADE_PREVENTIONS.map((value) => ({ value, label: `STP ${SELF_TRADE_NAMES[value]}` })),
];

const END_DEFAULT_MS = 24 * 60 * 60_000;
const SELECT = "h-8 border-control/70! bg-page! hover:border-control!";

interface OrderConditionsProps {
  readonly state: TicketState;
  readonly dispatch: Dispatch<TicketAction>;
}

/** The controls of time in force, self-trade prevention, options and exits. */
export function OrderConditions({ state, dispatch }: OrderConditionsProps) {
  const isLimit = state.type === "limit";
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] gap-2 *:w-full">
        {isLimit ? (
          <PlainSelect
            aria-label="Time in force"
            value={state.timeInForce}
            options={state.condition === "oco" ? RESTING_TIMES_IN_FORCE : TIMES_IN_FORCE}
            onChange={(timeInForce) => {
              dispatch({ type: "timeInForceChosen", timeInForce });
              if (timeInForce === "gtd" && state.texts.end === "") {
                dispatch({ type: "textTyped", field: "end", text: localMinute(END_DEFAULT_MS) });
              }
            }}
            className={SELECT}
          />
        ) : null}
        {isImmediateMarketOrder(state) ? (
          <PlainSelect
            aria-label="Slippage"
            value={state.slippageBps === null ? "" : String(state.slippageBps)}
            options={CAP_OPTIONS}
            onChange={(text) =>
              dispatch({ type: "slippageChosen", slippageBps: text === "" ? null : Number(text) })
            }
            className={SELECT}
          />
        ) : null}
        <PlainSelect
          aria-label="Self-trade prevention"
          value={state.selfTradePrevention ?? ""}
          options={SELF_TRADE_OPTIONS}
          onChange={(mode) =>
            dispatch({ type: "selfTradesChosen", mode: mode === "" ? null : mode })
          }
          className={SELECT}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {TICKET_OPTIONS.map(({ checkbox }) =>
          isLimit && checkbox !== undefined ? (
            <Choice
              key={checkbox.name}
              label={checkbox.label}
              isChosen={state[checkbox.name]}
              onToggle={() => dispatch({ type: "optionToggled", checkbox: checkbox.name })}
            />
          ) : null,
        )}
        {state.condition === "none" ? (
          <Choice
            label="TP/SL"
            isChosen={state.hasExits}
            onToggle={() => dispatch({ type: "exitsToggled" })}
          />
        ) : null}
      </div>
    </div>
  );
}

/** The device's local time `fromNowMs` from now, in the format of a datetime-local input. */
function localMinute(fromNowMs: number): string {
  const then = new Date(Date.now() + fromNowMs);
  const shifted = new Date(then.getTime() - then.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, "yyyy-mm-ddThh:mm".length);
}

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function Choice({ label, isChosen, onToggle }: ChoiceProps) {
  return (
    <Checkbox
      label={label}
      checked={isChosen}
      onChange={onToggle}
      className="min-h-6 shrink-0 cursor-pointer text-xs! hover:text-text"
    />
  );
}
