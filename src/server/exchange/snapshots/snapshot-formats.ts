/**
 * The formats of a snapshot's content and the rules that led to it, as one text. A program restores
 * a snapshot if it reads and would have written the same text; which code wrote the snapshot, and
 * for which release, does not matter. test/golden/snapshot pins the meaning of each version.
 */
import { serialize } from "node:v8";
import { RULES_VERSION, SNAPSHOT_VERSION } from "#engine/formats/engine-version.ts";

/**
 * The version of Node's serialization: the second byte of all data that it writes. A newer Node may
 * use another.
 */
const VALUES_VERSION = serialize(null)[1];

/** @param readModelsVersion incremented with every change of the read models' state */
export function snapshotFormats(readModelsVersion: number): string {
  return (
    `engine state ${SNAPSHOT_VERSION}, engine rules ${RULES_VERSION}, ` +
    `read models ${readModelsVersion}, values ${VALUES_VERSION}`
  );
}
