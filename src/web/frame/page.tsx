import type { ReactNode } from "react";

interface PageProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the exchange that scrolls: its title and a column of panels. */
export function Page({ title, aside, children }: PageProps) {
  return (
    <div className="mx-auto w-full max-w-7xl px-3 py-4 sm:px-6 sm:py-6">
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-3">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {aside === undefined ? null : <div className="flex items-center gap-2">{aside}</div>}
      </div>
      {children}
    </div>
  );
}
