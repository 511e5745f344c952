/** A `ref` that focuses its element when it appears, for the first field or button of a new step. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus();
}
