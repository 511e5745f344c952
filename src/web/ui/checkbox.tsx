import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useEnteredBeforeHydration } from "./entered-before-hydration.ts";

interface CheckboxProps extends ComponentProps<"input"> {
  readonly label: ReactNode;
}

/** A native checkbox with its label, both clickable. */
export function Checkbox({ label, className, ref, ...rest }: CheckboxProps) {
  const ownRef = useEnteredBeforeHydration(ref);
  return (
    <label className={classNames("flex min-h-6 items-center gap-2 text-sm text-muted", className)}>
      <input type="checkbox" className="size-4 shrink-0 accent-accent" {...rest} ref={ownRef} />
      {label}
    </label>
  );
}
