import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the page's script has taken over what the server rendered; forms can be sent from then on. */
export function useIsTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
