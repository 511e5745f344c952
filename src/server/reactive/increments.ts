/**
 * Increments: how a client makes the text of an answer from the one it has. Answers are lists and
 * tables of which little changes at a time, and a change is found once for all who have the same
 * answer. The client's half is `#contract/increments.ts`.
 *
 * An increment is a JSON array: the length of the new text, and then its pieces in order. A string is
 * a new piece; two numbers are a piece of the old text: how far it begins behind the end of the piece
 * copied before it, and how long it is.
 */

/** The WebSocket subprotocol of clients that understand increments. */
export const INCREMENTS = "reactive-increments";

/** Shorter pieces cost more to refer to than to send. */
const COPIED_MIN = 8;
/** Between larger texts only what is equal at both ends is found. */
const COMPARED_MAX = 64 * 1024;
/** An increment that is hardly shorter than the text is not worth the client's work. */
const SHARE_MAX = 0.75;

/** A part of the new text: from the old one, or new. */
type Piece = { readonly at: number; length: number } | string;

/** @returns undefined if it would save too little */
export function incrementOf(before: string, after: string): string | undefined {
  const pieces = compactOf(piecesOf(before, after), before);
  const increment: (number | string)[] = [after.length];
  let end = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      increment.push(piece);
      continue;
    }
    increment.push(piece.at - end, piece.length);
    end = piece.at + piece.length;
  }
  const text = JSON.stringify(increment);
  return text.length <= after.length * SHARE_MAX ? text : undefined;
}

function piecesOf(before: string, after: string): Piece[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  const oldMiddle = before.slice(head, before.length - tail);
  const newMiddle = after.slice(head, after.length - tail);
  const isLarge = oldMiddle.length > COMPARED_MAX || newMiddle.length > COMPARED_MAX;
  return [
    { at: 0, length: head },
    ...(isLarge ? [newMiddle] : middleOf(oldMiddle, newMiddle, head)),
    { at: before.length - tail, length: tail },
  ];
}

/** @param offset of the old middle in the old text */
function middleOf(before: string, after: string, offset: number): Piece[] {
  if (before.length < COPIED_MIN || after.length < COPIED_MIN) return [after];
  const old = tokensOf(before);
  const places = placesOf(old.texts);
  const pieces: Piece[] = [];
  const next = tokensOf(after).texts;
  /** The old token that is likeliest to follow. */
  let expected = 0;
  for (let index = 0; index < next.length; index++) {
    const found = placeOf(next, index, old.texts, places, expected);
    const last = pieces.at(-1);
    if (found === undefined) {
      if (typeof last === "string") pieces[pieces.length - 1] = last + next[index];
      else pieces.push(next[index]);
      // It may stand in for an old one.
      expected++;
      continue;
    }
    const at = offset + old.starts[found];
    const { length } = next[index];
    if (typeof last === "object" && last.at + last.length === at) last.length += length;
    else pieces.push({ at, length });
    expected = found + 1;
  }
  return pieces;
}

/** Where a token, and the one after it, stand in the old text; the place nearest to the expected one. */
function placeOf(
  next: readonly string[],
  index: number,
  old: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  expected: number,
): number | undefined {
  if (old[expected] === next[index]) return expected;
  let nearest: number | undefined;
  for (const place of places.get(next[index]) ?? []) {
    // Alone it may be there by chance, as "buy" is.
    if (index + 1 < next.length && old[place + 1] !== next[index + 1]) continue;
    if (nearest !== undefined && Math.abs(place - expected) >= Math.abs(nearest - expected)) break;
    nearest = place;
  }
  return nearest;
}

interface Tokens {
  readonly texts: readonly string[];
  readonly starts: readonly number[];
}

/** Each ends with a comma, which separates what JSON has side by side. */
function tokensOf(text: string): Tokens {
  const texts: string[] = [];
  const starts: number[] = [];
  for (let start = 0; start < text.length;) {
    const comma = text.indexOf(",", start);
    const end = comma === -1 ? text.length : comma + 1;
    texts.push(text.slice(start, end));
    starts.push(start);
    start = end;
  }
  return { texts, starts };
}

/** How many equal tokens are told apart: a list may have thousands, all of them likely elsewhere. */
const PLACES_MAX = 32;

function placesOf(texts: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, text] of texts.entries()) {
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else if (known.length < PLACES_MAX) known.push(index);
  }
  return places;
}

/** Sends pieces that are too short to refer to, together with the new ones around them. */
function compactOf(pieces: readonly Piece[], before: string): Piece[] {
  const compact: Piece[] = [];
  for (const piece of pieces) {
    const isShort = typeof piece === "object" && piece.length < COPIED_MIN;
    const kept = isShort ? before.slice(piece.at, piece.at + piece.length) : piece;
    if (kept === "") continue;
    const last = compact.at(-1);
    if (typeof kept === "string" && typeof last === "string") {
      compact[compact.length - 1] = last + kept;
    } else compact.push(kept);
  }
  return compact;
}
