import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface EmptyStateProps {
  readonly icon?: LucideIcon;
  readonly title: string;
  /** A hint that suggests the next step. */
  readonly text?: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string;
}

/** Shown instead of an empty table or list, with a hint and an action. */
export function EmptyState({ icon: Icon, title, text, action, className }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        "flex flex-col items-center justify-center gap-1 px-6 py-8 text-center",
        className,
      )}
    >
      {Icon === undefined ? null : <Icon className="mb-1 size-5 text-faint" aria-hidden />}
      <p className="text-sm font-medium text-text">{title}</p>
      {text === undefined ? null : (
        <p className="max-w-xs text-xs text-balance text-muted">{text}</p>
      )}
      {action === undefined ? null : <div className="mt-3">{action}</div>}
    </div>
  );
}
