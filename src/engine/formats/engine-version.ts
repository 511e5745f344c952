/**
 * One number for an engine's interpretation of a journal: its rules and the form of its state. Nodes
 * with the same number come to the same state hashes. It only grows, so that nodes know which of two
 * is the newer one.
 */
import { RULES_VERSION } from "./rules-version.ts";
import { SNAPSHOT_VERSION } from "./snapshot.ts";

const RULES_UNIT = 1_000;

export const ENGINE_VERSION = RULES_VERSION * RULES_UNIT + SNAPSHOT_VERSION;

export function describeEngineVersion(version: number): string {
  return `rules ${Math.floor(version / RULES_UNIT)}, state ${version % RULES_UNIT}`;
}
