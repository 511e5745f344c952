/** An exchange's journal copied between files and NATS, and continued on either side. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyGroups } from "#journal/copy-groups.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { openJournal } from "#journal/open-journal.ts";
import { copyJournalTo } from "#server/inspection/copy-journal.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { expectedHashes, expectedState } from "../golden/golden-journal.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { append, readAll } from "../support/record-groups.ts";
import { freshStream, sharedCluster } from "./journals.ts";

const GOLDEN = "test/golden/format-1-every-command";
const { sequence } = expectedState(GOLDEN);
const stateHash = expectedHashes(GOLDEN).at(-1)?.hash;

describeOnNats("a journal copied to NATS", () => {
  const cluster = sharedCluster();
  let folder: string;
  let dataDir: string;
  let stream: string;
  const copy = (from: string, to: string) =>
    copyJournalTo(from, to, (error) => expect.fail(error.message));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "openbell-copy-"));
    dataDir = join(folder, "data");
    cpSync(join(GOLDEN, "journal"), join(dataDir, "journal"), { recursive: true });
    stream = cluster().address(freshStream());
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const identityOf = async (place: string) => {
    const journal = await openJournal(place, { readOnly: true });
    await journal.close();
    return journal.identity;
  };

  test("leads to the same state, there and back, and is the same journal", async () => {
    expect(await copy(dataDir, stream)).toEqual({ sequence, stateHash });
    const back = join(folder, "back");
    expect(await copy(stream, back)).toEqual({ sequence, stateHash });
    expect(await identityOf(stream)).toBe(await identityOf(join(dataDir, "journal")));
    expect(await identityOf(join(back, "journal"))).toBe(await identityOf(stream));
    expect(await verifyJournal({ dataDir: back })).toMatchObject({ stateHash, faults: [] });
  });

  test("is continued by a later copy, in either direction", async () => {
    await copy(dataDir, stream);
    const back = join(folder, "back");
    await copy(stream, back);
    // What an interrupted copy leaves.
    const target = cluster().address(freshStream());
    const source = await openJournal(stream, { readOnly: true });
    const part = await openJournal(target, { identity: source.identity });
    for await (const group of source.read(1)) {
      if (group.firstSequence + group.count > sequence / 2) break;
      await part.append(group);
    }
    await Promise.all([source.close(), part.close()]);
    expect(await copy(dataDir, target)).toEqual({ sequence, stateHash });
    expect(await copy(target, back)).toEqual({ sequence, stateHash });
  });

  test("is refused where another exchange's journal is, which is left to its writer", async () => {
    const other = await openJournal(stream, {});
    await append(other, "not ours");
    await expect(copy(dataDir, stream)).rejects.toThrow("belongs to another exchange");
    await append(other, "still its own");
    await other.close();
    const files = join(folder, "other", "journal");
    await (await openFileJournal({ directory: files })).close();
    await copy(dataDir, cluster().address(freshStream()));
    await expect(copy(dataDir, join(folder, "other"))).rejects.toThrow("another exchange");
  });

  test("is refused where the same exchange was continued otherwise", async () => {
    const at = join(dataDir, "journal");
    await copy(dataDir, stream);
    const onNats = await openJournal(stream, {});
    await append(onNats, "on NATS only");
    await onNats.close();
    await expect(copy(dataDir, stream)).rejects.toThrow("already reaches sequence");
    const inFiles = await openJournal(at, {});
    await append(inFiles, "in files only", "and more");
    await inFiles.close();
    await expect(copy(dataDir, stream)).rejects.toThrow("both have been continued since");
    const reader = await openJournal(stream, { readOnly: true });
    expect((await readAll(reader)).at(-1)?.records).toContain("on NATS only");
    await reader.close();
  });

  test("has every record of groups that are larger than a message may be", async () => {
    const large = join(folder, "large", "journal");
    const files = await openJournal(large, {});
    const text = "x".repeat(files.groupBytesMax / 16 - 5);
    const records = Array.from({ length: 16 }, (_, index) =>
      `${index}${text}`.slice(0, text.length),
    );
    await append(files, ...records);
    const onNats = await openJournal(stream, { identity: files.identity });
    expect(files.groupBytesMax).toBeGreaterThan(onNats.groupBytesMax);

    await copyGroups(files, onNats, () => undefined);
    const found = (await readAll(onNats)).map((group) => group.records).join("");
    expect(found).toBe((await readAll(files)).map((group) => group.records).join(""));
    expect(onNats.lastSequence).toBe(16);
    expect(onNats.lastTimestampMs).toBe(files.lastTimestampMs);
    await Promise.all([files.close(), onNats.close()]);
  });

  test("needs a journal to copy", async () => {
    await expect(copy(join(folder, "nothing"), stream)).rejects.toThrow("There is no journal in");
    await expect(copy(stream, join(folder, "new"))).rejects.toThrow("is empty");
  });
});
