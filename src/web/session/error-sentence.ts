import { ConvexError } from "convex/values";
import type { ErrorData } from "#contract/errors.ts";
import { formatNumbersIn } from "../format/number-sentence.ts";

const FALLBACK = "Something went wrong.";
/** Replaces the client's own "Connection lost while action was in flight". */
const LOST = "The connection was lost before the exchange answered.";

/** Sentences that replace the messages of browsers and of the client; the first that matches counts. */
const BROWSER_MESSAGES = [
  [
    /dynamically imported module|module script failed/i,
    "A part of this page did not load: the connection failed, or the exchange was updated meanwhile.",
  ],
  [
    /^(Failed to fetch|fetch failed|Load failed|NetworkError)/,
    "The exchange could not be reached.",
  ],
  [/^Connection lost while/, LOST],
] as const;

/** The structured data of a backend error; null for other errors. */
export function errorDataOf(error: unknown): ErrorData | null {
  if (!(error instanceof ConvexError)) return null;
  const data: unknown = error.data;
  if (typeof data !== "object" || data === null) return null;
  if (!("code" in data) || typeof data.code !== "string") return null;
  if (!("message" in data) || typeof data.message !== "string") return null;
  const field = "field" in data && typeof data.field === "string" ? data.field : undefined;
  return { code: data.code, message: data.message, ...(field === undefined ? {} : { field }) };
}

/** A sentence for the user about any error. */
export function errorSentence(error: unknown): string {
  const data = errorDataOf(error);
  // The server's messages are in its own number format, the page's in the viewer's.
  if (data !== null) return formatNumbersIn(withFieldInWords(data));
  const sentence = error instanceof Error ? unwrapped(error.message) : "";
  const known = BROWSER_MESSAGES.find(([pattern]) => pattern.test(sentence));
  if (known !== undefined) return known[1];
  return sentence === "" ? FALLBACK : sentence;
}

/** A refusal that begins with its field's name, as a sentence: "quoteAmount is missing." → "Quote amount is missing." */
function withFieldInWords({ field, message }: ErrorData): string {
  const name = field?.split(".").at(-1) ?? "";
  if (name === "" || !message.startsWith(`${name} `)) return message;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1) + message.slice(name.length);
}

/** The known details of an error, beyond the fact that something went wrong. */
export function errorReason(error: unknown): string | undefined {
  const sentence = errorSentence(error);
  return sentence === FALLBACK ? undefined : sentence;
}

/** Text that the client puts around a message: "[CONVEX A(markets:candles)] … Called by client". */
const WRAPPER = /^\[CONVEX [A-Z]+\([^)]*\)\] |\s*Called by client\s*$/g;

function unwrapped(message: string): string {
  return message.replace(WRAPPER, "").trim();
}
