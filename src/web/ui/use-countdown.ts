import { useEffect, useState } from "react";

const SECOND_MS = 1000;
const TICK_MS = 250;

export interface Countdown {
  /** Whole seconds that are left; 0 when nothing is waited for. */
  readonly secondsLeft: number;
  readonly start: (seconds: number) => void;
}

/** Counts seconds down, by the clock: a page that slept shows what is left when it wakes. */
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
