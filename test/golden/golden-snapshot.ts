/**
 * The golden snapshot: taken in the middle of a golden journal, by another release of the program.
 * Beside it stands what each version of the formats and rules leads to at the journal's end, so that
 * a change without a new version is found.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine, type Engine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import { RULES_VERSION, SNAPSHOT_VERSION } from "#engine/formats/engine-version.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import type { Journal } from "#journal/journal.ts";
import { replayJournal } from "#server/exchange/replay.ts";
import { createReadModels, READ_MODELS_VERSION } from "#server/read-models.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
export const DIRECTORY = join(here, "snapshot");
export const VERSIONS_PATH = join(DIRECTORY, "versions.json");
/** The journal that the snapshot was taken from. */
export const JOURNAL = join(here, "format-1-every-command");

/** A version and the digest of what it stands for. */
export interface RecordedVersion {
  readonly version: number;
  readonly digest: string;
}

/** In the order in which a change is told from its consequences. */
export const KINDS = ["engineRules", "engineState", "readModels"] as const;
export type Versions = Readonly<Record<(typeof KINDS)[number], RecordedVersion>>;

/** Where each version stands, for the message of a test that fails. */
export const HOMES: Readonly<Record<(typeof KINDS)[number], string>> = {
  engineRules: "RULES_VERSION in src/engine/formats/engine-version.ts",
  engineState: "SNAPSHOT_VERSION in src/engine/formats/engine-version.ts",
  readModels: "READ_MODELS_VERSION in src/server/read-models.ts",
};

export function recordedVersions(): Versions {
  return JSON.parse(readFileSync(VERSIONS_PATH, "utf8")) as Versions;
}

export function openGoldenJournal(): Promise<Journal> {
  const log = { info: () => undefined, warn: () => undefined };
  return openFileJournal({ directory: join(JOURNAL, "journal"), log, readOnly: true });
}

/** Replays the golden journal on, to its end unless told. */
export async function continueTo(
  until: number,
  engine: Engine = createEngine(),
  readModels = createReadModels(),
) {
  const journal = await openGoldenJournal();
  const { identity, lastSequence } = journal;
  const events = createHash("sha256");
  for await (const { batch } of replayJournal(journal, engine, until)) {
    const decoded = decodeEvents(batch);
    readModels.fold(decoded);
    for (const event of decoded) events.update(`${JSON.stringify(event)}\n`);
  }
  await journal.close();
  return { engine, readModels, identity, lastSequence, eventsDigest: events.digest("hex") };
}

/** What today's versions lead to. */
export async function currentVersions(): Promise<Versions> {
  const { engine, readModels, eventsDigest } = await continueTo(Number.POSITIVE_INFINITY);
  const state = createHash("sha256").update(engine.snapshot()).digest("hex");
  const shown = createHash("sha256").update(asText(readModels.state())).digest("hex");
  return {
    engineRules: { version: RULES_VERSION, digest: eventsDigest },
    engineState: { version: SNAPSHOT_VERSION, digest: state },
    readModels: { version: READ_MODELS_VERSION, digest: shown },
  };
}

/** The name of the golden snapshot's file. */
export function snapshotName(): string {
  return readdirSync(DIRECTORY).find((name) => name.endsWith(".snapshot")) ?? "";
}

/** Any structured clone, with its types, as one text; fields by name, as a restore reads them. */
function asText(value: unknown): string {
  if (value instanceof Map) return `Map(${asText([...value])})`;
  if (value instanceof Set) return `Set(${asText([...value])})`;
  if (ArrayBuffer.isView(value)) {
    return `${value.constructor.name}(${asText([...(value as Float64Array)])})`;
  }
  if (Array.isArray(value)) return `[${value.map(asText).join()}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${name}:${asText(field)}`);
    return `{${fields.toSorted().join()}}`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
