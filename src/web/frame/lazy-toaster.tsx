import { type ComponentType, useEffect, useState } from "react";
import { retryingLoader } from "../ui/retrying-loader.ts";
import { onToastWanted } from "../ui/toast.ts";

const loadToaster = retryingLoader(() => import("../ui/toaster.tsx"));

/** Events that precede an interaction. */
const INTERACTION_EVENTS = ["pointermove", "pointerdown", "keydown"] as const;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 15_000;

/**
 * Loads the toaster for the first toast, or before it, on the first interaction, so that it is available when
 * the connection is lost. Retries until it is loaded; no page depends on it. The public site has no toaster.
 */
export function LazyToaster() {
  const [loaded, setLoaded] = useState<{ readonly Toaster: ComponentType } | null>(null);
  useEffect(() => {
    let isStarted = false;
    let isUnmounted = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const load = async (waitMs: number) => {
      try {
        const { default: Toaster } = await loadToaster();
        if (!isUnmounted) setLoaded({ Toaster });
      } catch {
        if (isUnmounted) return;
        retry = setTimeout(() => void load(Math.min(waitMs * 2, RETRY_MS_MAX)), waitMs);
      }
    };
    const start = () => {
      if (isStarted) return;
      isStarted = true;
      void load(RETRY_MS_MIN);
    };
    for (const touch of INTERACTION_EVENTS) window.addEventListener(touch, start, { once: true });
    const stopWanting = onToastWanted(start);
    return () => {
      isUnmounted = true;
      clearTimeout(retry);
      for (const touch of INTERACTION_EVENTS) window.removeEventListener(touch, start);
      stopWanting();
    };
  }, []);
  return loaded === null ? null : <loaded.Toaster />;
}
