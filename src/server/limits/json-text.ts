/**
 * What is known of JSON before it is parsed. A parser's time grows faster than the depth of what it
 * reads: half a million brackets stop the event loop for seconds.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether arrays and objects are nested deeper than this. Also of text that is no JSON. */
export function isNestedDeeper(text: string, depthMax: number): boolean {
  return endOfDepth(text, depthMax) !== undefined;
}

/**
 * The same text where nothing is nested deeper than this; otherwise what is nested deeper reads null.
 * For callers that refuse values of less depth by themselves and want to say which one it was.
 */
export function cutDeepJson(text: string, depthMax: number): string {
  const first = endOfDepth(text, depthMax);
  if (first === undefined) return text;
  const kept: string[] = [];
  let from = 0;
  for (let cut: number | undefined = first; cut !== undefined;) {
    kept.push(text.slice(from, cut), "null");
    from = endOfValue(text, cut);
    // The depth that the rest begins with is that of the place of the cut.
    cut = endOfDepth(text, depthMax, from, depthMax);
  }
  kept.push(text.slice(from));
  return kept.join("");
}

/** Where the first bracket is that goes deeper; undefined if none does. */
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

/** @param start of an array or object; after its closing bracket, or the end of the text */
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

/** @param start of a quoted text; its closing quote */
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

/** The texts and numbers with which a JSON object begins, before anything larger; of a prefix too. */
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
