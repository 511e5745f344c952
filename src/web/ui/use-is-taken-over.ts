import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the server-rendered page is hydrated; forms can be submitted from then on. */
export function useIsTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
