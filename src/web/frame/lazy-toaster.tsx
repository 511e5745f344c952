import { lazy, Suspense, useEffect, useState } from "react";

const Toaster = lazy(() => import("../ui/toaster.tsx"));

/**
 * Toasts come after the page has woken up: nothing can fail before that. The public site has nothing
 * that can fail, and does not load them.
 */
export function LazyToaster() {
  const [awake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  if (!awake) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
