/**
 * What a snapshot has in it and what led there, as one text. A program takes a snapshot back if it
 * reads and would have written the same; which code wrote it, and for which release, does not matter.
 * What each version stands for is held by test/golden/snapshot.
 */
import { serialize } from "node:v8";
import { RULES_VERSION } from "#engine/formats/rules-version.ts";
import { SNAPSHOT_VERSION } from "#engine/formats/snapshot.ts";

/** In the second byte of everything that Node serializes; a newer Node may use another. */
const VALUES_VERSION = serialize(null)[1];

/** @param readModelsVersion raised with every change of what the read models remember */
export function snapshotFormats(readModelsVersion: number): string {
  return (
    `engine state ${SNAPSHOT_VERSION}, engine rules ${RULES_VERSION}, ` +
    `read models ${readModelsVersion}, values ${VALUES_VERSION}`
  );
}
