import { type ComponentType, useEffect, useState } from "react";
import { patientLoader } from "../ui/patient-loader.ts";
import { onToastWanted } from "../ui/toast.ts";

const askForToaster = patientLoader(() => import("../ui/toaster.tsx"));

/** The toaster is loaded after this time, so that it does not delay the initial page. */
const QUIET_AFTER_MS = 8000;
/** Events that precede an interaction. */
const TOUCHES = ["pointermove", "pointerdown", "keydown"] as const;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 15_000;

/**
 * Loads the toaster some seconds after the page, or on the first interaction, so that it is
 * available when the connection is lost. Retries until it is loaded; no page depends on it. The
 * public site has no toaster.
 */
export function LazyToaster() {
  const [loaded, setLoaded] = useState<{ readonly Toaster: ComponentType } | null>(null);
  useEffect(() => {
    let isStarted = false;
    let isGone = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const load = async (waitMs: number) => {
      try {
        const { default: Toaster } = await askForToaster();
        if (!isGone) setLoaded({ Toaster });
      } catch {
        if (isGone) return;
        retry = setTimeout(() => void load(Math.min(waitMs * 2, RETRY_MS_MAX)), waitMs);
      }
    };
    const start = () => {
      if (isStarted) return;
      isStarted = true;
      void load(RETRY_MS_MIN);
    };
    const quiet = setTimeout(start, QUIET_AFTER_MS);
    for (const touch of TOUCHES) window.addEventListener(touch, start, { once: true });
    const stopWanting = onToastWanted(start);
    return () => {
      isGone = true;
      clearTimeout(retry);
      clearTimeout(quiet);
      for (const touch of TOUCHES) window.removeEventListener(touch, start);
      stopWanting();
    };
  }, []);
  return loaded === null ? null : <loaded.Toaster />;
}
