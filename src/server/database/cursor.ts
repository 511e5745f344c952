/** Cursors: the position at which a page ended, as an opaque text that callers pass back. */

export interface PageQuery {
  readonly cursor?: string;
  /** Maximum number of rows of a page, at least 1. */
  readonly limit: number;
}

/** The text is not a cursor of any page. */
export class CursorError extends Error {
  override readonly name = "CursorError";
}

const CURSOR_LENGTH_MAX = 64;

/** @param position the key of the page's last row: non-negative integers */
export function encodeCursor(position: readonly number[]): string {
  return Buffer.from(position.join("."), "latin1").toString("base64url");
}

/**
 * @param width how many numbers the key has
 * @throws CursorError if the text is not a cursor of that width
 */
export function decodeCursor(cursor: string, width: number): number[] {
  const parts =
    cursor.length <= CURSOR_LENGTH_MAX
      ? Buffer.from(cursor, "base64url").toString("latin1").split(".")
      : [];
  const position = parts.map((part) => (/^\d{1,16}$/.test(part) ? Number(part) : Number.NaN));
  // The text must round-trip: base64 decoding skips invalid characters.
  const isWhole = position.length === width && position.every(Number.isSafeInteger);
  if (!isWhole || encodeCursor(position) !== cursor) {
    throw new CursorError("The cursor is not one that a page handed out.");
  }
  return position;
}
