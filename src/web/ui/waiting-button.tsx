import { Button, type ButtonProps } from "./button.tsx";
import { useCountdown } from "./use-countdown.ts";

const WAIT_SECONDS = 60;

interface WaitingButtonProps extends Pick<ButtonProps, "variant" | "size" | "busy" | "className"> {
  readonly label: string;
  /** Whether something was sent just before the button appeared, so that the wait has begun. */
  readonly isSent?: boolean;
  /** Sends; a rejection means that nothing was sent, and there is no wait. */
  readonly onSend: () => Promise<unknown>;
}

/** A button that sends something, is then disabled for a minute, and shows the seconds left. */
export function WaitingButton({ label, isSent = false, onSend, ...rest }: WaitingButtonProps) {
  const { secondsLeft, start } = useCountdown(isSent ? WAIT_SECONDS : 0);
  const isWaiting = secondsLeft > 0;
  const send = () =>
    void onSend().then(
      () => start(WAIT_SECONDS),
      () => undefined,
    );
  return (
    <Button
      {...rest}
      // Not disabled: it would lose the focus.
      aria-disabled={isWaiting || rest.busy === true || undefined}
      onClick={isWaiting ? undefined : send}
    >
      <span className="tabular">{isWaiting ? `${label} in ${secondsLeft} s` : label}</span>
    </Button>
  );
}
