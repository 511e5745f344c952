import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

const TONES = { sell: "border-sell/40 bg-sell-soft", warn: "border-warn/40 bg-warn-soft" };

interface FormAlertProps {
  readonly tone?: keyof typeof TONES;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Why a form was refused, or a warning about it; nothing if `children` is null. */
export function FormAlert({ tone = "sell", className, children }: FormAlertProps) {
  if (children === null) return null;
  return (
    <p
      role="alert"
      className={classNames(
        "rounded-md border px-3 py-2 text-xs text-text",
        TONES[tone],
        className,
      )}
    >
      {children}
    </p>
  );
}
