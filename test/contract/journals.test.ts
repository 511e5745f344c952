/** What every journal does, whatever keeps it. */
import { expect, test } from "vitest";
import type { RecordGroup } from "#journal/journal.ts";
import { seededRandom } from "../disk/journal-disk.ts";
import { describeEachJournal } from "./journals.ts";
import {
  append,
  groupBehind,
  kept,
  type KeptGroup,
  randomGroup,
  readAll,
} from "../support/record-groups.ts";

describeEachJournal("a journal", ({ place, open }) => {
  test("begins empty, with an identity that it keeps", async () => {
    const at = await place();
    const journal = await open(at);
    expect(journal).toMatchObject({ lastSequence: 0, lastTimestampMs: 0 });
    expect(await readAll(journal)).toEqual([]);
    const { identity } = journal;
    expect(identity).not.toBe(0);
    await append(journal, "one");
    await journal.close();
    expect(await open(at)).toMatchObject({ identity, lastSequence: 1, lastTimestampMs: 1 });
    const other = await open(await place());
    expect(other.identity).not.toBe(identity);
  });

  test("takes the identity of the one that it is to be a copy of", async () => {
    expect(await open(await place(), { identity: 4711 })).toMatchObject({ identity: 4711 });
  });

  test("gives back every group as it was appended, over many reopenings", async () => {
    const random = seededRandom(7);
    const at = await place();
    const appended: KeptGroup[] = [];
    for (let opening = 0; opening < 5; opening++) {
      const journal = await open(at);
      expect(await readAll(journal)).toEqual(appended);
      for (let count = random(12); count >= 0; count--) {
        const group = randomGroup(journal, random);
        await journal.append(group);
        appended.push(kept(group));
      }
      expect(await readAll(journal)).toEqual(appended);
      const { firstSequence, count, timestampMs } = appended.at(-1) as KeptGroup;
      expect(journal.lastSequence).toBe(firstSequence + count - 1);
      expect(journal.lastTimestampMs).toBe(timestampMs);
      await journal.close();
    }
  });

  test("reads from the group that has a sequence", async () => {
    const at = await place();
    const journal = await open(at);
    const groups = [await append(journal, "a", "b", "c"), await append(journal, "d")];
    await journal.close();
    const again = await open(at);
    groups.push(await append(again, "e", "f"), await append(again, "g", "h", "i"));
    for (let sequence = 0; sequence <= 10; sequence++) {
      const from = groups.filter((group) => group.firstSequence + group.count > sequence);
      expect(await readAll(again, sequence), `from ${sequence}`).toEqual(from);
    }
  });

  test("refuses a group that leaves a gap, runs back in time or is too large", async () => {
    const journal = await open(await place());
    await append(journal, "a");
    const next = groupBehind(journal, [Buffer.from("b")]);
    const tooLarge = new Uint8Array(journal.groupBytesMax - 3);
    for (const [group, reason] of [
      [{ ...next, firstSequence: 3 }, "follows the last one without a gap"],
      [{ ...next, firstSequence: 1 }, "follows the last one without a gap"],
      [{ ...next, timestampMs: 0 }, "time never runs backwards"],
      [groupBehind(journal, [tooLarge]), "too large"],
    ] satisfies [RecordGroup, string][]) {
      await expect(journal.append(group)).rejects.toThrow(reason);
    }
    await journal.append(next);
    expect(await readAll(journal)).toHaveLength(2);
  });

  test("takes the largest group that it allows, which has room for any command", async () => {
    const journal = await open(await place());
    expect(journal.groupBytesMax).toBeGreaterThan(200_000);
    const records = new Uint8Array(journal.groupBytesMax - 4).fill(7);
    const group = groupBehind(journal, [records]);
    await journal.append(group);
    expect(await readAll(journal)).toEqual([kept(group)]);
  });

  test("takes one group at a time, and its records before the call returns", async () => {
    const journal = await open(await place());
    const group = groupBehind(journal, [Buffer.from("kept")]);
    const before = kept(group);
    const written = journal.append(group);
    group.records.fill(0);
    await expect(journal.append(group)).rejects.toThrow(/the group before/);
    await written;
    expect(await readAll(journal)).toEqual([before]);
  });

  test("opened for reading, shows what was durable and takes nothing", async () => {
    const at = await place();
    const writer = await open(at);
    const group = await append(writer, "a");
    const reader = await open(at, { readOnly: true, besideWriter: {} });
    await append(writer, "b");
    expect(reader).toMatchObject({ lastSequence: 1, identity: writer.identity });
    expect(await readAll(reader)).toEqual([group]);
    await expect(append(reader, "c")).rejects.toThrow("opened for reading only");
    await append(writer, "d");
    expect(await readAll(writer)).toHaveLength(3);
  });

  test("is followed as it grows, from any sequence, until that is ended", async () => {
    const journal = await open(await place());
    await append(journal, "a", "b");
    const random = seededRandom(3);
    const groups: KeptGroup[] = [await append(journal, "c")];
    const seen: KeptGroup[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const group of journal.follow(3, stop.signal)) seen.push(kept(group));
    })();
    for (let count = 0; count < 30; count++) {
      const group = randomGroup(journal, random);
      await journal.append(group);
      groups.push(kept(group));
      if (count % 10 === 0) await expect.poll(() => seen.length).toBe(groups.length);
    }
    await expect.poll(() => seen.length).toBe(groups.length);
    expect(seen).toEqual(groups);
    stop.abort();
    await following;
  });

  test("that is closed ends what follows it", async () => {
    const journal = await open(await place());
    const seen: KeptGroup[] = [];
    const following = (async () => {
      const { signal } = new AbortController();
      for await (const group of journal.follow(1, signal)) seen.push(kept(group));
    })();
    await append(journal, "a");
    await expect.poll(() => seen.length).toBe(1);
    await journal.close();
    await following;
    await expect(append(journal, "b")).rejects.toThrow("closed");
  });
});
