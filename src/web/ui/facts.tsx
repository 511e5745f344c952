import type { ReactNode } from "react";

/** A list of named facts in columns. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid gap-x-8 gap-y-3 px-4 py-3 text-xs sm:grid-cols-2 lg:grid-cols-4">
      {children}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div className={isWide ? "min-w-0 sm:col-span-2" : "min-w-0"}>
      <dt className="text-faint">{name}</dt>
      <dd className="mt-0.5 text-text">{children}</dd>
    </div>
  );
}
