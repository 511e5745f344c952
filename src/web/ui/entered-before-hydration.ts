/**
 * Input of users in a server-rendered page before hydration: text, the option of a select, a ticked
 * checkbox. The browser's control keeps it, but the control's form or state starts with the
 * server's value: the entry is reported at hydration as if made then.
 */
import { type Ref, type RefCallback, useEffect, useRef } from "react";

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * A ref that reports an entry made before hydration.
 * @param ref the caller's own ref to the control
 */
export function useEnteredBeforeHydration<Element extends Control>(
  ref: Ref<Element> | undefined,
): RefCallback<Element> {
  const control = useRef<Element>(null);
  const report = useRef<(() => void) | undefined>(undefined);
  useEffect(() => report.current?.(), []);
  return (element) => {
    // Read before the caller's ref is set, which may replace the entry.
    if (control.current === null && element !== null) report.current ??= reportOf(element);
    control.current = element;
    return assignRef(ref, element);
  };
}

function assignRef<Element>(ref: Ref<Element> | undefined, element: Element | null) {
  if (typeof ref === "function") return ref(element);
  if (ref !== null && ref !== undefined) ref.current = element;
  return undefined;
}

/** A function that reports the control's entry; undefined if it has the server's value. */
function reportOf(control: Control): (() => void) | undefined {
  if (control instanceof HTMLSelectElement) {
    const { value, options } = control;
    const rendered = [...options].find(({ defaultSelected }) => defaultSelected) ?? options[0];
    return value === rendered?.value ? undefined : () => choose(control, value);
  }
  if (control.type === "checkbox") {
    const { checked, defaultChecked } = control;
    return checked === defaultChecked ? undefined : () => tick(control, checked);
  }
  const { value, defaultValue } = control;
  return value === defaultValue ? undefined : () => type(control, value);
}

function choose(select: HTMLSelectElement, value: string): void {
  select.value = value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

// React reports a change of an input only if its value differs from the one that React has set.

function tick(box: HTMLInputElement, checked: boolean): void {
  box.checked = !checked;
  box.click();
}

function type(box: HTMLInputElement, text: string): void {
  box.value = box.defaultValue;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
}
