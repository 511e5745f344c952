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
  return (
    <Button
      {...rest}
      disabled={secondsLeft > 0}
      onClick={() =>
        void onSend().then(
          () => start(WAIT_SECONDS),
          () => undefined,
        )
      }
    >
      <span className="tabular">{secondsLeft > 0 ? `${label} in ${secondsLeft} s` : label}</span>
    </Button>
  );
}
