import { Button, type ButtonProps } from "./button.tsx";
import { useCountdown } from "./use-countdown.ts";

const WAIT_SECONDS = 60;

interface WaitingButtonProps extends Pick<ButtonProps, "variant" | "size" | "busy" | "className"> {
  readonly label: string;
  /** Something was already sent a moment ago. */
  readonly isSent?: boolean;
  /** Rejects if nothing was sent; then there is no wait. */
  readonly onSend: () => Promise<unknown>;
}

/** Sends something, and is enabled again after a minute, which it counts down. */
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
