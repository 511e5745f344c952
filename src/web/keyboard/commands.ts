/**
 * The commands that the command palette offers. Parts of the page register theirs while they are
 * shown.
 */
import { useEffect } from "react";
import { sharedValue, useSharedValue } from "../ui/shared-value.ts";
import type { ShortcutId } from "./shortcuts.ts";

export interface Command {
  /** Stable across visits, so that recent commands can be stored. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Further words that a search matches. */
  readonly keywords?: string;
  readonly shortcut?: ShortcutId;
  readonly run: () => void;
}

const offers = new Map<object, readonly Command[]>();
const offered = sharedValue<readonly Command[]>([]);

function offer(commands: readonly Command[]): () => void {
  const key = {};
  offers.set(key, commands);
  announce();
  return () => {
    offers.delete(key);
    announce();
  };
}

function announce(): void {
  offered.set([...offers.values()].flat());
}

/**
 * Registers commands while the component is mounted.
 * @param commands must be the same array until one of them changes
 */
export function useOfferedCommands(commands: readonly Command[]): void {
  useEffect(() => offer(commands), [commands]);
}

const areWanted = sharedValue(false);

/** Lets parts of the page load the code of their commands, when the palette is first opened. */
export function wantCommands(): void {
  areWanted.set(true);
}

export function useAreCommandsWanted(): boolean {
  return useSharedValue(areWanted);
}

export function useCommands(): readonly Command[] {
  return useSharedValue(offered);
}
