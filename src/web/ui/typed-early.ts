/**
 * What was typed into a page that the server rendered, before the page's script was there. The box keeps
 * it, but its owner, a form or a state, begins with what the server rendered: it is told of the text as
 * if it were typed at that moment.
 */
import { type Ref, type RefCallback, useEffect, useRef } from "react";

/** @param ref of the box's owner, which is given the box too */
export function useTypedEarly(
  ref: Ref<HTMLInputElement> | undefined,
): RefCallback<HTMLInputElement> {
  const box = useRef<HTMLInputElement>(null);
  const early = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (box.current !== null && early.current !== undefined) retype(box.current, early.current);
  }, []);
  return (element) => {
    // Before the owner has it, which may put its own text in.
    if (box.current === null && early.current === undefined && element !== null) {
      if (element.value !== element.defaultValue) early.current = element.value;
    }
    box.current = element;
    return give(ref, element);
  };
}

function give(ref: Ref<HTMLInputElement> | undefined, element: HTMLInputElement | null) {
  if (typeof ref === "function") return ref(element);
  if (ref !== null && ref !== undefined) ref.current = element;
  return undefined;
}

function retype(box: HTMLInputElement, text: string): void {
  // React compares with the text that it knows, and hears of none that it has set itself.
  box.value = box.defaultValue;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
}
