import type { MouseEvent } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { useIsHydrated } from "./use-is-hydrated.ts";

/** Also keeps Enter in a field from submitting the form: browsers click its button then. */
function ignoreClick(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * A button that keeps the focus when its own use disables it, such as one that saves what was changed: a keyboard
 * user would otherwise lose the place on the page.
 */
export function KeptButton({ disabled = false, busy = false, onClick, ...rest }: ButtonProps) {
  const isHydrated = useIsHydrated();
  return (
    <Button
      {...rest}
      busy={busy}
      // Until the page's script is there, nothing else would keep a form from being submitted.
      disabled={disabled && !isHydrated}
      aria-disabled={disabled || busy || undefined}
      onClick={disabled ? ignoreClick : onClick}
    />
  );
}
