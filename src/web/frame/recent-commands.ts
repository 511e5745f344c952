import { storedChoice } from "../ui/shared-value.ts";

const STORED_MAX = 5;

/** Ids of the most recently used commands, newest first; stored in this browser. */
export const recentCommands = storedChoice<readonly string[]>("openbell.commands", (given) =>
  Array.isArray(given) ? given.filter((id) => typeof id === "string").slice(0, STORED_MAX) : [],
);

export function rememberCommand(id: string): void {
  const others = recentCommands.read().filter((each) => each !== id);
  recentCommands.set([id, ...others].slice(0, STORED_MAX));
}
