import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useEnteredBeforeHydration } from "./entered-before-hydration.ts";

// 16 px text on phones: Safari zooms into inputs with smaller text.
export const inputClass =
  "h-9 w-full min-w-0 rounded-md border border-control/70 bg-page px-3 text-base text-text sm:text-sm placeholder:text-faint transition-colors hover:border-control focus:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-sell disabled:opacity-50";

export interface InputProps extends ComponentProps<"input"> {
  /** Content inside the box before the value, such as an icon. */
  readonly leading?: ReactNode;
  /** Content inside the box after the value, such as a unit. */
  readonly trailing?: ReactNode;
}

/** A text input. Requires a label: wrap it in `Field` or set `aria-label`. */
export function Input({ className, leading, trailing, ref, ...rest }: InputProps) {
  const ownRef = useEnteredBeforeHydration(ref);
  if (leading === undefined && trailing === undefined) {
    return <input className={classNames(inputClass, className)} {...rest} ref={ownRef} />;
  }
  return (
    <div
      className={classNames(
        inputClass,
        "flex items-center gap-2 focus-within:border-accent has-[:focus-visible]:outline-1 has-[:focus-visible]:outline-accent has-[[aria-invalid=true]]:border-sell has-[:disabled]:opacity-50",
        className,
      )}
    >
      {leading === undefined ? null : <span className="shrink-0 text-faint">{leading}</span>}
      <input
        className="h-full min-w-0 flex-1 bg-transparent text-inherit outline-none placeholder:text-faint [text-align:inherit]"
        {...rest}
        ref={ownRef}
      />
      {trailing === undefined ? null : (
        <span className="shrink-0 text-xs text-faint">{trailing}</span>
      )}
    </div>
  );
}
