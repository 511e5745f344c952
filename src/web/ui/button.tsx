import { cva, type VariantProps } from "class-variance-authority";
import { Loader2 } from "lucide-react";
import type { ComponentProps, MouseEvent } from "react";
import { classNames } from "./class-names.ts";

/** Classes of a button, also for links that act as buttons. */
export const buttonClass = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors disabled:opacity-45 aria-disabled:opacity-45 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary:
          "bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover",
        secondary: "border border-line-strong bg-raised text-text hover:bg-hover active:bg-pressed",
        ghost: "text-muted hover:bg-hover hover:text-text",
        buy: "bg-buy text-on-buy enabled:hover:bg-buy-hover",
        sell: "bg-sell text-on-sell enabled:hover:bg-sell-hover",
        danger: "border border-sell/50 bg-sell-soft text-sell hover:border-sell",
      },
      size: {
        sm: "h-7 px-2.5 text-xs",
        md: "h-9 px-3.5 text-sm",
        lg: "h-11 px-5 text-sm",
        icon: "size-9",
        iconSm: "size-7",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonClass> {
  /** Shows a spinner and ignores clicks; the label stays, so that the width does not change. */
  readonly busy?: boolean;
}

/** Also keeps Enter in a field from submitting the form: browsers click its button then. */
export function ignoreClick(event: MouseEvent): void {
  event.preventDefault();
}

export function Button({
  className,
  variant,
  size,
  busy = false,
  disabled,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(buttonClass({ variant, size }), className)}
      disabled={disabled}
      // Not disabled while busy: it would lose the focus, and a keyboard user the place on the page.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...rest}
      onClick={busy ? ignoreClick : onClick}
    >
      {busy ? <Loader2 className="size-4 animate-spin" aria-hidden /> : null}
      {children}
    </button>
  );
}
