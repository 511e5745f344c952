/** As `ref` of the one field or button of a step: moves focus there from the step before. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus();
}
