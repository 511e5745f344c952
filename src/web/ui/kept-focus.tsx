import { type ComponentProps, type FocusEvent, useLayoutEffect, useRef } from "react";

interface Place {
  readonly row: Element;
  readonly rowIndex: number;
  readonly controlIndex: number;
}

const CONTROLS = "a[href], button";

interface KeptFocusProps extends ComponentProps<"div"> {
  readonly as: "div" | "span" | "tbody" | "ul";
}

/**
 * A table's body or a list that keeps the keyboard's place: when the row with the focus is removed,
 * such as that of a cancelled order, the row that takes its place gets the focus, and when the last
 * one is removed, the panel around the table.
 */
export function KeptFocus({ as, ...rest }: KeptFocusProps) {
  // The elements differ in nothing that is used of them.
  const Rows = as as "div";
  const rows = useRef<HTMLDivElement>(null);
  const last = useRef<Place | null>(null);
  useLayoutEffect(() => {
    const place = last.current;
    if (place === null || rows.current === null || !isFocusLost()) return;
    if (place.row.isConnected) {
      focusOn(controlsOf(place.row)[place.controlIndex] ?? place.row);
      return;
    }
    const next = rows.current.children[Math.min(place.rowIndex, rows.current.children.length - 1)];
    // Not its control: a key press that was meant for the removed row would act on this one.
    focusOn(next);
  });
  useLayoutEffect(() => {
    const element = rows.current;
    return () => {
      if (last.current === null || !(isFocusLost() || hasFocus(element))) return;
      focusOn(element?.closest("[role=tabpanel], section, main"));
    };
  }, []);
  const notePlace = ({ target, currentTarget }: FocusEvent) => {
    const row = [...currentTarget.children].find((each) => each.contains(target));
    if (row === undefined) return;
    const rowIndex = [...currentTarget.children].indexOf(row);
    const controlIndex = controlsOf(row).findIndex((each) => each === target);
    last.current = { row, rowIndex, controlIndex };
  };
  // A control that is disabled while its request is under way loses the focus, but not its place; nor
  // does one whose dialog asks before the row is removed.
  const forgetPlace = ({ target, relatedTarget }: FocusEvent) => {
    const isKept = target.matches(":disabled") || relatedTarget?.closest("[role=dialog]");
    if (target.isConnected && !isKept) last.current = null;
  };
  return <Rows {...rest} ref={rows} onFocus={notePlace} onBlur={forgetPlace} />;
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

/** Also on elements that are not controls. */
function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  // Elements that are not in the tab order are not added to it.
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}
