import { useCallback, useState } from "react";
import type { View } from "./view-switch.tsx";

export type AccountTab = "open" | "history" | "fills" | "balances";

interface ShownPanels {
  readonly view: View;
  readonly tab: AccountTab;
}

/** Kept until the page is loaded again: a trader who comes back from an order finds the list they left. */
let shown: ShownPanels = { view: "chart", tab: "open" };

/** The panel of a phone, or the tab of the orders, that is shown, and how another is. */
export function useShownPanel<Name extends keyof ShownPanels>(
  name: Name,
): readonly [ShownPanels[Name], (next: ShownPanels[Name]) => void] {
  const [value, setValue] = useState(shown[name]);
  const show = useCallback(
    (next: ShownPanels[Name]) => {
      shown = { ...shown, [name]: next };
      setValue(next);
    },
    [name],
  );
  return [value, show];
}
