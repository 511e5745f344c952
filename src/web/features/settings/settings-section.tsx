import type { ReactNode } from "react";

interface SettingsSectionProps {
  /** The element's id, to which the navigation links. */
  readonly id: string;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

/** A group of settings: its description on the left, its controls on the right. */
export function SettingsSection({ id, title, text, children }: SettingsSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid gap-x-8 gap-y-4 border-b p-4 last:border-b-0 sm:py-6 md:grid-cols-[13rem_1fr]"
    >
      <div>
        <h3 id={`${id}-title`} className="text-sm font-semibold">
          {title}
        </h3>
        {text === undefined ? null : <p className="mt-1 text-xs text-pretty text-muted">{text}</p>}
      </div>
      <div className="min-w-0 max-w-lg">{children}</div>
    </section>
  );
}
