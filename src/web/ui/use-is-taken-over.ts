import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the page is hydrated, so that forms can be submitted. */
export function useIsTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
