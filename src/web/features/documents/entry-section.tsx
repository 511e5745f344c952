import type { ReactNode } from "react";

interface EntrySectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A titled section of one API entry (call, stream, method or event). */
export function EntrySection({ children, title }: EntrySectionProps) {
  return (
    <section aria-label={title} className="mt-6 min-w-0">
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}
