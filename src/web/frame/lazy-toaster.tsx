import { type ComponentType, useEffect, useState } from "react";
import { patientLoader } from "../ui/patient-loader.ts";
import { onToastWanted } from "../ui/toast.ts";

const askForToaster = patientLoader(() => import("../ui/toaster.tsx"));

/** Where no idle time is told, the toaster comes this long after the page. */
const IDLE_AFTER_MS = 2000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 15_000;

/**
 * Toasts come when the page has nothing else to do, or is touched before that, so that they are
 * there when the connection is not. Until their code arrives it is asked for again and again: the
 * page never depends on it. The public site has none.
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
    const cancelIdle = whenIdle(start);
    window.addEventListener("pointerdown", start, { once: true });
    window.addEventListener("keydown", start, { once: true });
    const stopWanting = onToastWanted(start);
    return () => {
      isGone = true;
      clearTimeout(retry);
      cancelIdle();
      window.removeEventListener("pointerdown", start);
      window.removeEventListener("keydown", start);
      stopWanting();
    };
  }, []);
  return loaded === null ? null : <loaded.Toaster />;
}

/** @returns cancels the call */
function whenIdle(call: () => void): () => void {
  if (typeof window.requestIdleCallback === "function") {
    const handle = window.requestIdleCallback(call);
    return () => window.cancelIdleCallback(handle);
  }
  const timer = setTimeout(call, IDLE_AFTER_MS);
  return () => clearTimeout(timer);
}
