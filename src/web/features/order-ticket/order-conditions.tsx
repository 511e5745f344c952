import type { Dispatch } from "react";
import type { TimeInForce } from "#contract/types.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import type { SelectOption } from "../../ui/select.tsx";
import type { TicketAction, TicketState } from "./ticket-state.ts";

const TIMES: readonly SelectOption<TimeInForce>[] = [
  { value: "gtc", label: "GTC · until cancelled" },
  { value: "ioc", label: "IOC · now, rest ends" },
  { value: "fok", label: "FOK · all now or none" },
];

interface OrderConditionsProps {
  readonly state: TicketState;
  readonly dispatch: Dispatch<TicketAction>;
}

/** How long a limit order lives and whether it may take. */
export function OrderConditions({ state, dispatch }: OrderConditionsProps) {
  return (
    <div className="flex items-center justify-between gap-3">
      <PlainSelect
        aria-label="Time in force"
        value={state.timeInForce}
        options={TIMES}
        onChange={(timeInForce) => dispatch({ type: "timeInForceChosen", timeInForce })}
        className="h-8 border-control/70! bg-page! hover:border-control!"
      />
      <label className="flex shrink-0 cursor-pointer items-center gap-2 text-xs text-muted hover:text-text">
        <input
          type="checkbox"
          checked={state.postOnly}
          onChange={() => dispatch({ type: "postOnlyToggled" })}
          className="size-4 accent-accent"
        />
        Post-only
      </label>
    </div>
  );
}
