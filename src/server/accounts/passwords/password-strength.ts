/**
 * Whether a password is easy to guess: made of common passwords, of other fields of the form, of
 * dates, keyboard rows and repetitions. Measured with 49,000 common passwords and 7,800 words
 * (zxcvbn, by Daniel Wheeler; USENIX Security 2016), which take 7 MB once the first one is looked
 * at.
 */
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** From 0 to 4. From 2 on, a hundred million guesses do not find it; sign-ins allow far fewer. */
const SCORE_MIN = 2;
/** The time grows with more than the square of this; two times 24 characters take about 2 ms. */
const CHECKED_LENGTH_MAX = 24;
const SUBSTITUTIONS_MAX = 16;
const WORDS_MAX = 16;
/** Obvious words for an exchange. */
const WORDS_OF_THE_TRADE = [
  "bitcoin",
  "crypto",
  "exchange",
  "market",
  "trader",
  "trading",
  "wallet",
];

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

/** @param about what an attacker who knows the person would try, such as name and address */
export async function isWeakPassword(password: string, about: readonly string[]): Promise<boolean> {
  loading ??= load();
  const meter = await loading;
  const words = [...WORDS_OF_THE_TRADE, ...wordsOf(about)];
  // One strong end is enough: the rest only adds to it.
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
