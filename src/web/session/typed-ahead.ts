/**
 * Pages come from the server and can be typed into before their script is there. Forms start from
 * their default values, which would empty what somebody typed: so that is where they find it.
 */
import { useState, useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the page's script has taken over; a form that is sent before would only be reloaded. */
export function useIsTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** The values of the fields of those names as they stand on a page that the server rendered. */
export function useTypedAhead<Values extends Record<string, string | boolean>>(
  values: Values,
): Values {
  const isTakenOver = useIsTakenOver();
  const [first] = useState(() =>
    isTakenOver || typeof document === "undefined" ? values : withTyped(values),
  );
  return first;
}

function withTyped<Values extends Record<string, string | boolean>>(values: Values): Values {
  const found = Object.entries(values).map(([name, value]) => {
    const field = document.querySelector<HTMLInputElement>(`input[name="${name}"]`);
    if (field === null) return [name, value] as const;
    return [name, typeof value === "boolean" ? field.checked : field.value || value] as const;
  });
  return Object.fromEntries(found) as Values;
}
