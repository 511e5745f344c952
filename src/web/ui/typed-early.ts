/**
 * What was typed into a server-rendered page before its script had loaded. The field keeps it, but
 * its owner, a form or a state, starts with what the server rendered: the text is reported to it as
 * if typed at that moment.
 */
import { type Ref, type RefCallback, useEffect, useRef } from "react";

/** @param ref of the field's owner, which receives the field too */
export function useTypedEarly(
  ref: Ref<HTMLInputElement> | undefined,
): RefCallback<HTMLInputElement> {
  const box = useRef<HTMLInputElement>(null);
  const early = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (box.current !== null && early.current !== undefined) retype(box.current, early.current);
  }, []);
  return (element) => {
    // Before the owner gets it, which may set its own text.
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
  // React compares with the text that it knows, and reports no change that it made itself.
  box.value = box.defaultValue;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
}
