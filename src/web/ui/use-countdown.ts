import { useEffect, useState } from "react";

const SECOND_MS = 1000;
const TICK_MS = 250;

export interface Countdown {
  /** Whole seconds left; 0 if no countdown is running. */
  readonly secondsLeft: number;
  readonly start: (seconds: number) => void;
}

/** A countdown in seconds. It follows the clock, so that it is right after the device slept. */
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
