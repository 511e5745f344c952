import { Button, type ButtonProps, ignoreClick } from "./button.tsx";

/**
 * A button that keeps the focus when its own use disables it, such as one that saves the changes: a
 * keyboard user would otherwise lose the place on the page.
 */
export function KeptButton({ disabled = false, busy = false, onClick, ...rest }: ButtonProps) {
  return (
    <Button
      {...rest}
      busy={busy}
      aria-disabled={disabled || busy || undefined}
      onClick={disabled ? ignoreClick : onClick}
    />
  );
}
