import { useEffect, useState } from "react";
import { optionalComponent } from "../ui/optional-component.tsx";
import { onToastRequested } from "../ui/toast.ts";
import { useWasTouched } from "../ui/use-was-touched.ts";

const Toaster = optionalComponent(() => import("../ui/toaster.tsx"));

/**
 * Loads the toaster for the first toast, or before it, on the first interaction, so that it is available when
 * the connection is lost. The public site has no toaster.
 */
export function LazyToaster() {
  const wasTouched = useWasTouched();
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => onToastRequested(() => setIsWanted(true)), []);
  return wasTouched || isWanted ? <Toaster /> : null;
}
