import { lazy, Suspense, useEffect, useState } from "react";
import { onToastWanted } from "../ui/toast.ts";

const Toaster = lazy(() => import("../ui/toaster.tsx"));

/**
 * Toasts are loaded when somebody first touches the page, since nothing can succeed or fail before
 * that, or when one is wanted after all. The public site has none.
 */
export function LazyToaster() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const want = () => setWanted(true);
    window.addEventListener("pointerdown", want, { once: true });
    window.addEventListener("keydown", want, { once: true });
    const stop = onToastWanted(want);
    return () => {
      window.removeEventListener("pointerdown", want);
      window.removeEventListener("keydown", want);
      stop();
    };
  }, []);
  if (!wanted) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
