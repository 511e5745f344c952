import type { ReactNode } from "react";
import { useIsTakenOver } from "../../session/typed-ahead.ts";
import { Button } from "../../ui/button.tsx";

interface SubmitButtonProps {
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** Sends the form as soon as the page's script can, and looks like it from the start. */
export function SubmitButton({ busy = false, disabled = false, children }: SubmitButtonProps) {
  const isTakenOver = useIsTakenOver();
  return (
    <Button
      type="submit"
      variant="primary"
      busy={busy}
      disabled={disabled || !isTakenOver}
      className={isTakenOver || disabled ? undefined : "disabled:opacity-100"}
    >
      {children}
    </Button>
  );
}
