/**
 * Rates whether a password is easy to guess: made of common passwords, other fields of the form,
 * dates, keyboard rows or repetitions. Uses 49,000 common passwords and 7,800 words (zxcvbn, by
 * Daniel Wheeler; USENIX Security 2016), which take 7 MB once the first password is rated.
 */
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/**
 * Scores are 0 to 4. From 2, a hundred million guesses do not suffice; sign-ins allow far fewer.
 */
const SCORE_MIN = 2;
/** The time grows faster than the square of the length; two times 24 characters take about 2 ms. */
const CHECKED_LENGTH_MAX = 24;
const SUBSTITUTIONS_MAX = 16;
const WORDS_MAX = 16;
/** Words that an exchange suggests. */
const EXCHANGE_WORDS = ["bitcoin", "crypto", "exchange", "market", "trader", "trading", "wallet"];

let loading: Promise<ZxcvbnFactory> | undefined;

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new Factory({
    dictionary: { ...dictionary },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
  });
}

/** @param about words that an attacker who knows the user would try, such as name and email address */
export async function isWeakPassword(password: string, about: readonly string[]): Promise<boolean> {
  loading ??= load();
  const meter = await loading;
  const words = [...EXCHANGE_WORDS, ...wordsOf(about)];
  // One strong end is enough: the remaining characters only add to its strength.
  const ends = new Set([
    password.slice(0, CHECKED_LENGTH_MAX),
    password.slice(-CHECKED_LENGTH_MAX),
  ]);
  for (const end of ends) if (meter.check(end, words).score >= SCORE_MIN) return false;
  return true;
}

function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const known = [...new Set(words)].filter(
    ({ length }) => length > 2 && length <= CHECKED_LENGTH_MAX,
  );
  return known.slice(0, WORDS_MAX);
}
