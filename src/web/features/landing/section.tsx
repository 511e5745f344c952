import type { ReactNode } from "react";

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the landing page that the header links to. */
export function Section({ id, title, text, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="mx-auto max-w-6xl px-4 pb-16 sm:px-6"
    >
      <h2 id={`${id}-title`} className="text-xl font-semibold tracking-tight">
        {title}
      </h2>
      {text === undefined ? null : <p className="mt-1.5 max-w-2xl text-sm text-muted">{text}</p>}
      <div className="mt-5">{children}</div>
    </section>
  );
}
