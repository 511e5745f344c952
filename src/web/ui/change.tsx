import { classNames } from "./class-names.ts";
import { DirectionMark } from "./direction-mark.tsx";

type Direction = "up" | "down" | "flat";

const COLOURS = { up: "text-buy", down: "text-sell", flat: "text-muted" } as const;

interface ChangeProps {
  /** Already formatted, with its sign. */
  readonly text: string;
  readonly direction: Direction;
  /** A small triangle before the text. */
  readonly arrow?: boolean;
  readonly className?: string;
}

/** A gain or loss: colour and sign say the same, so neither is needed to understand it. */
export function Change({ text, direction, arrow = false, className }: ChangeProps) {
  return (
    <span className={classNames("tabular whitespace-nowrap", COLOURS[direction], className)}>
      {arrow && direction !== "flat" ? (
        <DirectionMark direction={direction} className="mr-1 align-middle" />
      ) : null}
      {text}
    </span>
  );
}
