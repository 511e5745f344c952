import { useEffect, useState } from "react";

const SECOND_MS = 1000;
const TICK_MS = 250;

export interface Countdown {
  /** Whole seconds left; 0 if there is nothing to wait for. */
  readonly secondsLeft: number;
  readonly start: (seconds: number) => void;
}

/** Counts seconds down by the clock: after the device slept the page shows the time really left. */
export function useCountdown(secondsAtFirst = 0): Countdown {
  const [endsAtMs, setEndsAtMs] = useState(() => Date.now() + secondsAtFirst * SECOND_MS);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const secondsLeft = Math.max(0, Math.ceil((endsAtMs - nowMs) / SECOND_MS));
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const ticking = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, [isRunning]);
  return {
    secondsLeft,
    start: (seconds) => {
      setNowMs(Date.now());
      setEndsAtMs(Date.now() + seconds * SECOND_MS);
    },
  };
}
