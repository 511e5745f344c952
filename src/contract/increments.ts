/**
 * The page's side of increments: restores complete messages of the reactive protocol from messages
 * that contain only what has changed in each answer (server/reactive/increments.ts defines the
 * format). Runs below the official client, which receives every message as if it had been sent in
 * full.
 */

/** The WebSocket subprotocol with which a client asks for increments. */
export const INCREMENTS = "reactive-increments";

/** A message does not fit the earlier ones: the client must open a new connection. */
class IncrementError extends Error {
  override readonly name = "IncrementError";
}

/**
 * The modifications are the last member of a Transition's text; their lengths are its second
 * member.
 */
const BEGINNING = /^(\{"type":"Transition",)"lengths":\[([\d,]*)\],/;
const MODIFICATION = /^\{"type":"(\w+)","queryId":(\d+)/;
const ENDING = "]}".length;

interface Answer {
  /** The message up to the query's id. */
  readonly head: string;
  readonly tail: string;
}

/** Reads the messages of one connection, in their order. */
export class IncrementReader {
  readonly #answers = new Map<string, Answer>();

  /**
   * The message with complete answers.
   * @throws IncrementError
   */
  read(message: string): string {
    const beginning = BEGINNING.exec(message);
    if (beginning === null) return message;
    const [matched, type = "", lengthsText = ""] = beginning;
    const lengths = lengthsText === "" ? [] : lengthsText.split(",").map(Number);
    const commas = Math.max(0, lengths.length - 1);
    const start = lengths.reduce((sum, length) => sum - length, message.length - ENDING - commas);
    if (start < matched.length) throw new IncrementError("a transition is shorter than it says");
    const modifications: string[] = [];
    let at = start;
    for (const length of lengths) {
      modifications.push(this.#complete(message.slice(at, at + length)));
      at += length + 1;
    }
    return `${type}${message.slice(matched.length, start)}${modifications.join(",")}]}`;
  }

  #complete(modification: string): string {
    const [head, type, queryId] = MODIFICATION.exec(modification) ?? [];
    if (head === undefined || queryId === undefined) {
      throw new IncrementError("a modification has no query");
    }
    if (type === "QueryRemoved") {
      this.#answers.delete(queryId);
      return modification;
    }
    const answer =
      type === "QueryChanged"
        ? this.#applyChanges(modification, queryId)
        : { head, tail: modification.slice(head.length) };
    this.#answers.set(queryId, answer);
    return answer.head + answer.tail;
  }

  #applyChanges(modification: string, queryId: string): Answer {
    const before = this.#answers.get(queryId);
    if (before === undefined) throw new IncrementError("an answer changed that was never sent");
    const { change } = JSON.parse(modification) as { change: readonly (number | string)[] };
    return { head: before.head, tail: applyIncrement(before.tail, change) };
  }
}

/**
 * The answer that follows from the one before and an increment.
 * @throws IncrementError
 */
export function applyIncrement(before: string, increment: readonly (number | string)[]): string {
  let text = "";
  let end = 0;
  for (let index = 1; index < increment.length; index++) {
    const fragment = increment[index];
    if (typeof fragment === "string") {
      text += fragment;
      continue;
    }
    const start = end + (fragment ?? 0);
    end = start + Number(increment[++index]);
    text += before.slice(start, end);
  }
  if (text.length !== increment[0]) {
    throw new IncrementError(`an answer has ${text.length} characters, not ${increment[0]}`);
  }
  return text;
}
