import { classNames } from "./class-names.ts";
import { DirectionMark } from "./direction-mark.tsx";

type Direction = "up" | "down" | "flat";

const COLOURS = { up: "text-buy", down: "text-sell", flat: "text-muted" } as const;

interface ChangeProps {
  /** The formatted number, with its sign. */
  readonly text: string;
  readonly direction: Direction;
  /** Whether a small triangle precedes the text. */
  readonly arrow?: boolean;
  readonly className?: string;
}

/** A gain or loss, shown by colour and by sign, so that the colour alone carries no meaning. */
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
