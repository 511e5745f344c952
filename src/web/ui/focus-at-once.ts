/** As `ref` of the one field or button that a step is about: whoever took the step before comes to it. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus();
}
