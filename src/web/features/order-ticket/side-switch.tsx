import type { Side } from "#contract/types.ts";
import { classNames } from "../../ui/class-names.ts";

interface SideSwitchProps {
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}

/** Switch between buy (left) and sell (right). */
export function SideSwitch({ side, onChange }: SideSwitchProps) {
  return (
    <fieldset aria-label="Side" className="grid grid-cols-2 gap-1 rounded-md bg-page p-1">
      <button
        type="button"
        aria-pressed={side === "buy"}
        onClick={() => onChange("buy")}
        className={classNames(
          "h-8 rounded-sm text-sm font-semibold transition-colors",
          side === "buy" ? "bg-buy text-on-buy" : "text-muted hover:bg-hover hover:text-buy",
        )}
      >
        Buy
      </button>
      <button
        type="button"
        aria-pressed={side === "sell"}
        onClick={() => onChange("sell")}
        className={classNames(
          "h-8 rounded-sm text-sm font-semibold transition-colors",
          side === "sell" ? "bg-sell text-on-sell" : "text-muted hover:bg-hover hover:text-sell",
        )}
      >
        Sell
      </button>
    </fieldset>
  );
}
