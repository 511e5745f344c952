/**
 * The commands that the command palette offers. Parts of the page register theirs while they are
 * shown.
 */
import { useEffect, useSyncExternalStore } from "react";
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

const NONE: readonly Command[] = [];
const offers = new Map<object, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = NONE;

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
  all = [...offers.values()].flat();
  for (const listener of listeners) listener();
}

/**
 * Registers commands while the component is mounted.
 * @param commands must be the same array until one of them changes
 */
export function useOfferedCommands(commands: readonly Command[]): void {
  useEffect(() => offer(commands), [commands]);
}

let areWanted = false;

/** Lets parts of the page load the code of their commands, when the palette is first opened. */
export function wantCommands(): void {
  areWanted = true;
  for (const listener of listeners) listener();
}

export function useAreCommandsWanted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => areWanted,
    () => false,
  );
}

export function useCommands(): readonly Command[] {
  return useSyncExternalStore(
    subscribe,
    () => all,
    () => NONE,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
