import type { ReactNode } from "react";
import { DataAge } from "../session/data-age.tsx";
import { classNames } from "../ui/class-names.ts";

interface PageProps {
  readonly title: string;
  readonly aside?: ReactNode;
  /** Limits the width, for forms. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

/** A scrolling page: title and a column of panels. */
export function Page({ title, aside, narrow = false, children }: PageProps) {
  return (
    <div
      className={classNames(
        "mx-auto w-full px-3 py-4 sm:px-6 sm:py-6",
        narrow ? "max-w-4xl" : "max-w-7xl",
      )}
    >
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-3">
        <div className="flex items-center gap-3">
          <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
          <DataAge />
        </div>
        {aside === undefined ? null : <div className="flex items-center gap-2">{aside}</div>}
      </div>
      {children}
    </div>
  );
}
