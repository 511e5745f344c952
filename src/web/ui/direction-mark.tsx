import { classNames } from "./class-names.ts";

interface DirectionMarkProps {
  readonly direction: "up" | "down";
  readonly className?: string;
}

/**
 * A small triangle in the text's colour; an SVG, because not every machine has a font with the
 * character.
 */
export function DirectionMark({ direction, className }: DirectionMarkProps) {
  return (
    <svg
      viewBox="0 0 8 6"
      aria-hidden
      className={classNames("inline-block h-1.5 w-2 fill-current", className)}
    >
      <path d={direction === "up" ? "M4 0 8 6H0z" : "M4 6 0 0h8z"} />
    </svg>
  );
}
