/** Keyboard navigation of the book: one tab stop per side; arrow keys move between levels and cells. */
import type { KeyboardEvent } from "react";

const STEPS: Readonly<Record<string, readonly [rows: number, cells: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function moveBetweenLevels(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const focused = (event.target as Element).closest<HTMLElement>("[data-cell]");
  const row = focused?.closest<HTMLElement>("[data-level]") ?? null;
  if (step === undefined || focused === null || row === null) return;
  const [rowStep, cellStep] = step;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-level]")];
  // Asks are drawn upside down, so the visual order is not the document order.
  rows.sort((left, right) => left.getBoundingClientRect().top - right.getBoundingClientRect().top);
  const nextRow = rows[rows.indexOf(row) + rowStep];
  const next =
    nextRow === undefined ? undefined : cellsOf(nextRow)[cellsOf(row).indexOf(focused) + cellStep];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** The visible cells of a row: a narrow book hides the totals. */
function cellsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>("[data-cell]")].filter(
    (cell) => cell.offsetParent !== null,
  );
}
