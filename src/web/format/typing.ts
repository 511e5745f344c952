/**
 * Groups the digits of a number while it is typed. Only the field has separators, not its owner's
 * text, and the caret stays beside the same digit.
 */
import { SEPARATORS } from "./decimal-text.ts";
import { currentFormats } from "./formats.ts";
import { numberText } from "./typed-number.ts";

const PLAIN_NUMBER = /^\d*(?:\.\d*)?$/;

const separators = () => SEPARATORS[currentFormats().numbers];

/** "64000.5" → "64,000.5", in the viewer's format; text that is not a number is returned unchanged. */
export function groupTypedDigits(text: string): string {
  if (!PLAIN_NUMBER.test(text)) return text;
  const { point, thousands } = separators();
  const [whole = "", ...fraction] = text.split(".");
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, thousands), ...fraction].join(point);
}

export interface Edit {
  /** The field's grouped text before the edit. */
  readonly before: string;
  /** The selection before the edit; null if the text was replaced as a whole. */
  readonly selection: { readonly start: number; readonly end: number } | null;
  /** The field's text after the browser's edit, and the caret in it. */
  readonly after: string;
  readonly caret: number;
  readonly isDeletion: boolean;
  readonly isForward: boolean;
}

export interface Edited {
  /** The number without grouping. */
  readonly text: string;
  /** Position in the grouped text. */
  readonly caret: number;
}

/** Applies an edit of the grouped text to the number. */
export function editNumber(edit: Edit): Edited {
  const { before, selection, after, isDeletion } = edit;
  if (selection === null || !isWithin(edit)) {
    const text = numberText(after);
    return { text, caret: groupTypedDigits(text).length };
  }
  return isDeletion ? applyDeletion(edit) : applyInsertion(before, selection, after);
}

/** Whether the edit changed only the selection; input methods may change more. */
function isWithin({ before, selection, after, isDeletion }: Edit): boolean {
  if (isDeletion || selection === null) return true;
  const tail = before.slice(selection.end);
  return (
    after.startsWith(before.slice(0, selection.start)) &&
    after.endsWith(tail) &&
    after.length >= selection.start + tail.length
  );
}

function applyInsertion(
  before: string,
  { start, end }: { readonly start: number; readonly end: number },
  after: string,
): Edited {
  const head = ungroup(before.slice(0, start));
  const tail = before.slice(end);
  const added = numberText(after.slice(start, after.length - tail.length));
  return withCaretBetween(head + added, ungroup(tail));
}

/** Applies a deletion. If only a separator was deleted, the digit beside it is deleted as well. */
function applyDeletion({ before, after, caret, isForward }: Edit): Edited {
  const head = ungroup(after.slice(0, caret));
  const tail = ungroup(after.slice(caret));
  if (head + tail !== ungroup(before)) return withCaretBetween(head, tail);
  return isForward
    ? withCaretBetween(head, tail.slice(1))
    : withCaretBetween(head.slice(0, -1), tail);
}

function withCaretBetween(head: string, tail: string): Edited {
  const text = head + tail;
  return { text, caret: caretAfter(groupTypedDigits(text), head.length) };
}

/** The caret's position in the grouped text after a number of characters of the plain text. */
function caretAfter(grouped: string, characters: number): number {
  const { thousands } = separators();
  let passed = 0;
  let caret = 0;
  while (passed < characters && caret < grouped.length) {
    if (grouped[caret] !== thousands) passed += 1;
    caret += 1;
  }
  return caret;
}

function ungroup(text: string): string {
  const { point, thousands } = separators();
  return text.replaceAll(thousands, "").replace(point, ".");
}
