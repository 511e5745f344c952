import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { retryingLoader } from "./retrying-loader.ts";

const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 15_000;

/**
 * A component that no page depends on. It shows nothing until its code is loaded, which is retried as long as
 * it is mounted, and never fails.
 */
export function optionalComponent<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): (props: Props) => ReactNode {
  const ask = retryingLoader(load);
  return function Optional(props: Props) {
    const [loaded, setLoaded] = useState<{ readonly Shown: ComponentType<Props> } | null>(null);
    useEffect(() => {
      let isUnmounted = false;
      let retry: ReturnType<typeof setTimeout> | undefined;
      const request = async (waitMs: number) => {
        try {
          const { default: Shown } = await ask();
          if (!isUnmounted) setLoaded({ Shown });
        } catch {
          if (isUnmounted) return;
          retry = setTimeout(() => void request(Math.min(waitMs * 2, RETRY_MS_MAX)), waitMs);
        }
      };
      void request(RETRY_MS_MIN);
      return () => {
        isUnmounted = true;
        clearTimeout(retry);
      };
    }, []);
    return loaded === null ? null : <loaded.Shown {...props} />;
  };
}
