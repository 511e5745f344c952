/** Runs a suite once on the journal of files and once on a journal in NATS JetStream. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { Journal } from "#journal/journal.ts";
import { openJournal, type JournalOptions, type JournalPlace } from "#journal/open-journal.ts";
import { NatsCluster } from "../support/nats-cluster.ts";
import { describeOnNats } from "../support/on-nats.ts";

export interface TestPlaces {
  /** Of a journal that does not exist yet; removed after the test. */
  readonly place: () => Promise<JournalPlace>;
  /** Opens the journal; it is closed after the test. */
  readonly open: (place: JournalPlace, options?: JournalOptions) => Promise<Journal>;
}

export function describeEachJournal(name: string, suite: (places: TestPlaces) => void): void {
  describe(`${name} in files`, () => {
    suite(
      testPlaces(async (folders) => {
        const folder = await mkdtemp(join(tmpdir(), "openbell-journal-"));
        folders.push(folder);
        return join(folder, "journal");
      }),
    );
  });
  describeOnNats(`${name} on NATS`, () => {
    const cluster = sharedCluster();
    suite(testPlaces(async () => cluster().address(freshStream())));
  });
}

/** A cluster for the tests of the surrounding suite. */
export function sharedCluster(): () => NatsCluster {
  let cluster: NatsCluster;
  beforeAll(async () => {
    cluster = await NatsCluster.start();
  });
  afterAll(() => cluster.stop());
  return () => cluster;
}

let streams = 0;

/** The name of a stream that no other test has. */
export function freshStream(): string {
  return `test-${++streams}`;
}

export function testPlaces(place: (folders: string[]) => Promise<JournalPlace>): TestPlaces {
  const folders: string[] = [];
  const opened: Journal[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((journal) => journal.close()));
    opened.length = 0;
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    folders.length = 0;
  });
  return {
    place: () => place(folders),
    async open(at, options = {}) {
      const journal = await openJournal(at, options);
      opened.push(journal);
      return journal;
    },
  };
}
