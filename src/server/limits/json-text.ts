/**
 * Checks JSON text before it is parsed. A parser's time grows faster than linearly with the depth:
 * half a million brackets block the event loop for seconds.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether arrays and objects are nested deeper than `depthMax`. The text need not be valid JSON. */
export function isNestedDeeper(text: string, depthMax: number): boolean {
  return endOfDepth(text, depthMax) !== undefined;
}

/**
 * Replaces values nested deeper than `depthMax` by null; returns other text unchanged. For callers
 * that refuse a lower depth themselves and report where it occurs.
 */
export function cutDeepJson(text: string, depthMax: number): string {
  const first = endOfDepth(text, depthMax);
  if (first === undefined) return text;
  const kept: string[] = [];
  let from = 0;
  for (let cut: number | undefined = first; cut !== undefined;) {
    kept.push(text.slice(from, cut), "null");
    from = endOfValue(text, cut);
    // The remaining text begins at the depth of the cut.
    cut = endOfDepth(text, depthMax, from, depthMax);
  }
  kept.push(text.slice(from));
  return kept.join("");
}

/** The position of the first bracket nested deeper than the limit; undefined if there is none. */
function endOfDepth(
  text: string,
  depthMax: number,
  from = 0,
  depthAtStart = 0,
): number | undefined {
  let depth = depthAtStart;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (isOpening(code)) {
      if (++depth > depthMax) return at;
    } else if (isClosing(code)) depth--;
  }
  return undefined;
}

/**
 * The end of an array or object.
 * @param start position of its opening bracket
 * @returns the position after its closing bracket, or the end of the text
 */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (isOpening(code)) depth++;
    else if (isClosing(code) && --depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * The end of a quoted string.
 * @param start position of its opening quote
 * @returns the position of its closing quote
 */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}

const MEMBER = /\s*"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?)\s*,/y;

/**
 * The leading string and number members of a JSON object, before its first array or object; the
 * text may be cut off.
 */
export function leadingMembers(text: string): Record<string, unknown> {
  const members: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const start = /^\s*\{/.exec(text);
  if (start === null) return members;
  MEMBER.lastIndex = start[0].length;
  for (let found = MEMBER.exec(text); found !== null; found = MEMBER.exec(text)) {
    const [, name, value] = found;
    try {
      members[name] = JSON.parse(value);
    } catch {
      return members;
    }
  }
  return members;
}
