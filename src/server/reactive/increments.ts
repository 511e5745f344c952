/**
 * Computes increments: how a client derives the text of an answer from the previous text. Answers
 * are long tables of which little changes at a time, and one increment serves all clients with the
 * same answer. The client's side is `#contract/increments.ts`.
 *
 * An increment is a JSON array: the length of the new text, followed by its fragments in order. A
 * string is a new fragment. Two numbers are a fragment copied from the old text: its start, relative
 * to the end of the previously copied fragment, and its length.
 */

/** The WebSocket subprotocol of clients that understand increments. */
export const INCREMENTS = "reactive-increments";

/** Minimum length of a copied fragment; a shorter one is cheaper to send as text. */
const COPY_LENGTH_MIN = 8;
/** Beyond this length only the common start and end of two texts are found. */
const COMPARED_LENGTH_MAX = 64 * 1024;
/**
 * Maximal length of an increment as a share of the text: a longer one is not worth the client's
 * work.
 */
const INCREMENT_SHARE_MAX = 0.75;

/** A fragment of the new text: copied from the old text, or new. */
type Fragment = { readonly at: number; length: number } | string;

/** @returns the increment as JSON, undefined if it would save too little */
export function incrementOf(before: string, after: string): string | undefined {
  const fragments = compactOf(fragmentsOf(before, after), before);
  const increment: (number | string)[] = [after.length];
  let end = 0;
  for (const fragment of fragments) {
    if (typeof fragment === "string") {
      increment.push(fragment);
      continue;
    }
    increment.push(fragment.at - end, fragment.length);
    end = fragment.at + fragment.length;
  }
  const text = JSON.stringify(increment);
  return text.length <= after.length * INCREMENT_SHARE_MAX ? text : undefined;
}

function fragmentsOf(before: string, after: string): Fragment[] {
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
  const isLarge = oldMiddle.length > COMPARED_LENGTH_MAX || newMiddle.length > COMPARED_LENGTH_MAX;
  return [
    { at: 0, length: head },
    ...(isLarge ? [newMiddle] : middleOf(oldMiddle, newMiddle, head)),
    { at: before.length - tail, length: tail },
  ];
}

/**
 * The fragments between the common start and end.
 * @param offset position of the old middle in the old text
 */
function middleOf(before: string, after: string, offset: number): Fragment[] {
  if (before.length < COPY_LENGTH_MIN || after.length < COPY_LENGTH_MIN) return [after];
  const old = tokensOf(before);
  const indexes = indexesByToken(old.texts);
  const fragments: Fragment[] = [];
  const next = tokensOf(after).texts;
  /** Index of the old token that most likely comes next. */
  let expected = 0;
  for (let index = 0; index < next.length; index++) {
    const found = nearestIndexOf(next, index, old.texts, indexes, expected);
    const last = fragments.at(-1);
    if (found === undefined) {
      if (typeof last === "string") fragments[fragments.length - 1] = last + next[index];
      else fragments.push(next[index]);
      // The new token may replace an old one.
      expected++;
      continue;
    }
    const at = offset + old.starts[found];
    const { length } = next[index];
    if (typeof last === "object" && last.at + last.length === at) last.length += length;
    else fragments.push({ at, length });
    expected = found + 1;
  }
  return fragments;
}

/** Index in the old text at which a token and its successor occur, nearest to the expected one. */
function nearestIndexOf(
  next: readonly string[],
  index: number,
  old: readonly string[],
  indexes: ReadonlyMap<string, readonly number[]>,
  expected: number,
): number | undefined {
  if (old[expected] === next[index]) return expected;
  let nearest: number | undefined;
  for (const candidate of indexes.get(next[index]) ?? []) {
    // A single token, such as "buy", may match by chance.
    if (index + 1 < next.length && old[candidate + 1] !== next[index + 1]) continue;
    if (nearest !== undefined && Math.abs(candidate - expected) >= Math.abs(nearest - expected))
      break;
    nearest = candidate;
  }
  return nearest;
}

interface Tokens {
  readonly texts: readonly string[];
  readonly starts: readonly number[];
}

/** Splits JSON after each comma, which separates its members. */
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

/** Indexes stored per distinct token: one token may occur thousands of times. */
const INDEXES_PER_TOKEN_MAX = 32;

function indexesByToken(texts: readonly string[]): Map<string, number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, text] of texts.entries()) {
    const known = indexes.get(text);
    if (known === undefined) indexes.set(text, [index]);
    else if (known.length < INDEXES_PER_TOKEN_MAX) known.push(index);
  }
  return indexes;
}

/** Replaces copied fragments that are too short with text, and joins adjacent text. */
function compactOf(fragments: readonly Fragment[], before: string): Fragment[] {
  const compact: Fragment[] = [];
  for (const fragment of fragments) {
    const isShort = typeof fragment === "object" && fragment.length < COPY_LENGTH_MIN;
    const kept = isShort ? before.slice(fragment.at, fragment.at + fragment.length) : fragment;
    if (kept === "") continue;
    const last = compact.at(-1);
    if (typeof kept === "string" && typeof last === "string") {
      compact[compact.length - 1] = last + kept;
    } else compact.push(kept);
  }
  return compact;
}
