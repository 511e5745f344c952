import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface PanelProps {
  readonly title?: ReactNode;
  /** Content at the right end of the title's line. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A bordered section with an optional heading. */
export function Panel({ title, aside, className, children }: PanelProps) {
  return (
    <section className={classNames("min-w-0 rounded-lg border bg-surface", className)}>
      {title === undefined ? null : (
        <header className="flex h-11 items-center justify-between gap-3 border-b px-4">
          <h2 className="truncate text-sm font-semibold">{title}</h2>
          {aside === undefined ? null : (
            <div className="flex shrink-0 items-center gap-2 text-xs text-muted">{aside}</div>
          )}
        </header>
      )}
      {children}
    </section>
  );
}
