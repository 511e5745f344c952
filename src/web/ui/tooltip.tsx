import * as Radix from "radix-ui/tooltip";
import type { ReactNode } from "react";

interface TooltipProps {
  readonly text: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  /** One focusable element, such as a button. */
  readonly children: ReactNode;
}

/** A short explanation on hover and focus. Never the only place of a fact. */
export function Tooltip({ text, side = "top", children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={250}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            className="z-50 max-w-64 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs text-text shadow-lg"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
