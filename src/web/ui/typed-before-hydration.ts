/**
 * Text typed into a server-rendered page before hydration. The browser's field keeps the text, but
 * the form or state that controls the field starts with the server's value: the text is reported as
 * if typed at hydration.
 */
import { type Ref, type RefCallback, useEffect, useRef } from "react";

/**
 * A ref that reports text typed before hydration.
 * @param ref the caller's own ref to the field
 */
export function useTypedBeforeHydration(
  ref: Ref<HTMLInputElement> | undefined,
): RefCallback<HTMLInputElement> {
  const box = useRef<HTMLInputElement>(null);
  const early = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (box.current !== null && early.current !== undefined)
      reportTyped(box.current, early.current);
  }, []);
  return (element) => {
    // Read before the caller's ref is set, which may replace the text.
    if (box.current === null && early.current === undefined && element !== null) {
      if (element.value !== element.defaultValue) early.current = element.value;
    }
    box.current = element;
    return assignRef(ref, element);
  };
}

function assignRef(ref: Ref<HTMLInputElement> | undefined, element: HTMLInputElement | null) {
  if (typeof ref === "function") return ref(element);
  if (ref !== null && ref !== undefined) ref.current = element;
  return undefined;
}

function reportTyped(box: HTMLInputElement, text: string): void {
  // React reports a change only if the value differs from the one it has set.
  box.value = box.defaultValue;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
}
