import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface FigureProps {
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly className?: string;
}

/** A labelled number, inside a `dl`. */
export function Figure({ label, value, note, className }: FigureProps) {
  return (
    <div className={classNames("min-w-0 bg-surface px-4 py-3", className)}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-1 truncate text-base font-semibold tabular">{value}</dd>
      {note === undefined ? null : <dd className="mt-0.5 text-xs text-pretty">{note}</dd>}
    </div>
  );
}

/** A row of figures divided by thin lines. */
export function Figures({
  className,
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <dl className={classNames("grid gap-px overflow-hidden rounded-lg border bg-line", className)}>
      {children}
    </dl>
  );
}
