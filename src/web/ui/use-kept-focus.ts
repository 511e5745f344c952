import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

interface Place {
  readonly row: Element;
  readonly rowIndex: number;
  readonly controlIndex: number;
}

const CONTROLS = "a[href], button";

/**
 * Keeps the keyboard's place in a table or list: when the row with the focus goes, such as that of a cancelled order,
 * the row that takes its place has the focus, and when the last one goes, the panel around the table.
 */
export function useKeptFocus(rows: RefObject<HTMLElement | null>) {
  const last = useRef<Place | null>(null);
  useLayoutEffect(() => {
    const place = last.current;
    if (place === null || rows.current === null || !isFocusLost()) return;
    if (place.row.isConnected) {
      controlsOf(place.row)[place.controlIndex]?.focus();
      return;
    }
    const next = rows.current.children[Math.min(place.rowIndex, rows.current.children.length - 1)];
    // Not its control: the key that was meant for the row that is gone would act on this one.
    if (!(next instanceof HTMLElement)) return;
    next.setAttribute("tabindex", "-1");
    next.focus();
  });
  useLayoutEffect(() => {
    const element = rows.current;
    return () => {
      if (last.current === null || !(isFocusLost() || hasFocus(element))) return;
      const panel = element?.closest<HTMLElement>("[role=tabpanel], section, main");
      if (panel?.hasAttribute("tabindex") === false) panel.tabIndex = -1;
      panel?.focus();
    };
  }, [rows]);
  return {
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      const row = [...currentTarget.children].find((each) => each.contains(target));
      if (row === undefined) return;
      const rowIndex = [...currentTarget.children].indexOf(row);
      const controlIndex = controlsOf(row).findIndex((each) => each === target);
      last.current = { row, rowIndex, controlIndex };
    },
    // A control that is disabled while its request is under way loses the focus, but not its place.
    onBlur: ({ target }: FocusEvent) => {
      if (target.isConnected && !target.matches(":disabled")) last.current = null;
    },
  };
}

function controlsOf(row: Element | undefined): readonly HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function hasFocus(element: Element | null): boolean {
  return element?.contains(document.activeElement) ?? false;
}
