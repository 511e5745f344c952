/** Ranks the command palette's commands for a search. */
import type { Command } from "../keyboard/commands.ts";

const RESULTS_MAX = 30;
/** Score per word of the search, by where the word occurs. */
const SCORES = { titleStart: 8, titleWord: 4, title: 2, keyword: 1 } as const;

/** The commands that contain every word of the search in their title or keywords, best first. */
export function rankCommands(commands: readonly Command[], search: string): readonly Command[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return commands
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, RESULTS_MAX)
    .map(({ command }) => command);
}

/** A command's score for the search; 0 if a word does not occur. */
function scoreOf({ title, keywords = "", group }: Command, words: readonly string[]): number {
  const name = title.toLowerCase();
  const others = `${keywords} ${group}`.toLowerCase();
  let score = 0;
  for (const word of words) {
    if (name.startsWith(word)) score += SCORES.titleStart;
    else if (startsWord(name, word)) score += SCORES.titleWord;
    else if (name.includes(word)) score += SCORES.title;
    else if (startsWord(others, word)) score += SCORES.keyword;
    else return 0;
  }
  return score;
}

function startsWord(text: string, word: string): boolean {
  const parts = text.split(/[\s/:,-]+/);
  return parts.some((each) => each.startsWith(word)) || ` ${text}`.includes(` ${word}`);
}
