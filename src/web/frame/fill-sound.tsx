import { useEffect, useRef } from "react";
import { functions } from "#contract/functions.ts";
import type { Fill } from "#contract/types.ts";
import { useFrameQuery } from "../session/use-frame-query.ts";

const TONE_HZ = { buy: 880, sell: 660 } as const;
const TONE_SECONDS = 0.16;
const LOUDNESS = 0.08;

/** Plays a tone for each new trade of the viewer. Loaded lazily, hence the default export. */
export default function FillSound() {
  const { data: newest } = useFrameQuery(functions.fills.recent, {}, newestOf);
  const heard = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (newest === undefined) return;
    // Trades from before the page was opened are silent.
    const isNew = heard.current !== undefined && newest !== null && newest.sequence > heard.current;
    heard.current = newest?.sequence ?? 0;
    if (isNew && newest !== null) void soundTone(TONE_HZ[newest.side]);
  }, [newest]);
  return null;
}

/** The newest fill; null if there are none. */
function newestOf(fills: Fill[]): Fill | null {
  return fills[0] ?? null;
}

async function soundTone(frequencyHz: number): Promise<void> {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const end = audio.currentTime + TONE_SECONDS;
  tone.frequency.value = frequencyHz;
  volume.gain.setValueAtTime(LOUDNESS, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(LOUDNESS / 100, end);
  tone.connect(volume).connect(audio.destination);
  tone.addEventListener("ended", () => void audio.close());
  tone.start();
  tone.stop(end);
}
