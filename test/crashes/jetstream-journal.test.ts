/**
 * The journal on NATS while its writers, its servers and the ways between them fail: what was
 * acknowledged is in it once, and no replaced writer gets an acknowledgement.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { jetstream, type StreamConfig } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import {
  type Journal,
  JournalDamagedError,
  JournalFencedError,
  JournalNewerError,
  JournalOutcomeUnknownError,
} from "#journal/journal.ts";
import { whenDurable } from "#journal/when-durable.ts";
import { freshStream, sharedCluster, testPlaces } from "../contract/journals.ts";
import { startFreezingProxy } from "../support/freezing-proxy.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { append, groupBehind, type KeptGroup, readAll } from "../support/record-groups.ts";
import { isFull } from "../support/run-counts.ts";

const textOf = ({ records }: KeptGroup) => records.slice(4);

describeOnNats("a journal on NATS", () => {
  const cluster = sharedCluster();
  const { place, open } = testPlaces(async () => cluster().address(freshStream()));
  const streamOf = (at: string) => at.slice(at.lastIndexOf("/") + 1);

  async function textsIn(at: string): Promise<string[]> {
    const reader = await open(at, { readOnly: true });
    return (await readAll(reader)).map(textOf);
  }

  /** Appends one record per group, however long each takes. */
  async function appendEach(journal: Journal, texts: readonly string[]): Promise<number> {
    let unknown = 0;
    for (const text of texts) {
      const group = groupBehind(journal, [Buffer.from(text)]);
      await whenDurable(journal.append(group), () => (unknown += 1));
    }
    return unknown;
  }

  function startWriter(at: string, name: string) {
    const host = new URL("journal-writer-host.ts", import.meta.url);
    const child = spawn(process.execPath, [host.pathname, at, name], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    const acknowledged = () =>
      lines.filter((line) => line.startsWith("ack ")).map((line) => line.slice(4));
    return { child, lines, acknowledged };
  }

  test("is continued by the newest writer only", async () => {
    const at = await place();
    const first = await open(at);
    await append(first, "a");
    const second = await open(at);
    await expect(append(first, "lost")).rejects.toThrow(JournalFencedError);
    await append(second, "b");
    // For good, also when the stream happens to end where it expects.
    await expect(append(first, "lost")).rejects.toThrow("Another writer has taken over");
    expect(await textsIn(at)).toEqual(["a", "b"]);
  });

  test("is written through the server that leads the stream", async () => {
    // Each stream is led by any of the three servers.
    for (let stream = 0; stream < 6; stream++) {
      const at = await place();
      const servers: unknown[] = [];
      const info = (fields: object) => servers.push((fields as { server?: unknown }).server);
      await append(await open(at, { log: { info, warn: info } }), "a");
      expect(servers).toEqual([await cluster().leaderOf(streamOf(at))]);
      expect(await textsIn(at)).toEqual(["a"]);
    }
  });

  test("has the hash of the state after a group for those who follow", async () => {
    const at = await place();
    const journal = await open(at);
    await append(journal, "a");
    await journal.append({ ...groupBehind(journal, [Buffer.from("b")]), stateHash: "0123abcd" });
    const hashes: (string | undefined)[] = [];
    for await (const { stateHash } of (await open(at, { readOnly: true })).read(1)) {
      hashes.push(stateHash);
    }
    expect(hashes).toEqual([undefined, "0123abcd"]);
  });

  test("is followed and continued by no older engine than the one that led last", async () => {
    const at = await place();
    const first = await open(at, { engineVersion: 11_008 });
    await append(first, "a");
    const second = await open(at, { engineVersion: 12_008 });
    await append(second, "b");
    const older =
      "a newer version of the program leads since term 2 (rules 12, state 8; this one has rules 11";
    await expect(open(at, { engineVersion: 11_008 })).rejects.toThrow(older);
    const reader = await open(at, { readOnly: true, engineVersion: 11_008 });
    const read: string[] = [];
    const follow = async (from: number) => {
      for await (const group of reader.follow(from, AbortSignal.timeout(20_000))) {
        read.push(Buffer.from(group.records.slice(4)).toString());
      }
    };
    await expect(follow(1)).rejects.toThrow(JournalNewerError);
    expect(read).toEqual(["a"]);
    // Within the newer term as well.
    await expect(follow(2)).rejects.toThrow(JournalNewerError);
    await append(second, "c");
    expect(await textsIn(at)).toEqual(["a", "b", "c"]);
    const third = await open(at, { engineVersion: 12_008 });
    const versions: [number, number][] = [];
    const end = new AbortController();
    const note = (term: number, version: number) => {
      versions.push([term, version]);
      if (term === 3) end.abort();
    };
    for await (const group of third.follow(1, end.signal, note)) void group;
    expect(versions).toEqual([
      [1, 11_008],
      [2, 12_008],
      [3, 12_008],
    ]);
  });

  test("acknowledges to one of many writers that begin at once, and doubles nothing", async () => {
    const at = await place();
    const acknowledged: string[] = [];
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        const journal = await open(at);
        for (let count = 1; count <= 10; count++) {
          try {
            await append(journal, `${writer}-${count}`);
          } catch (error) {
            expect(error).toBeInstanceOf(JournalFencedError);
            return;
          }
          acknowledged.push(`${writer}-${count}`);
        }
      }),
    );
    const found = await textsIn(at);
    expect(acknowledged.length).toBeGreaterThanOrEqual(10);
    expect([...found].sort()).toEqual(acknowledged.sort());
  });

  test("refuses a writer that was paused while another took over", async () => {
    const at = await place();
    const { child, lines, acknowledged } = startWriter(at, "paused");
    try {
      await expect.poll(() => acknowledged().length).toBeGreaterThan(20);
      child.kill("SIGSTOP");
      const next = await open(at);
      await appendEach(next, ["next-1", "next-2"]);
      child.kill("SIGCONT");
      await once(child, "exit");
      await append(next, "next-3");
      expect(lines.at(-1)).toBe("JournalFencedError");
      const found = await textsIn(at);
      // One may have been taken whose answer came too late to be told.
      const own = found.slice(0, -3);
      expect(found.slice(-3)).toEqual(["next-1", "next-2", "next-3"]);
      expect(own).toEqual(own.map((_, index) => `paused-${index + 1}`));
      expect(own.slice(0, acknowledged().length)).toEqual(acknowledged());
      expect(own.length - acknowledged().length).toBeLessThanOrEqual(1);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("keeps what was acknowledged to a killed writer, for the next one", async () => {
    const at = await place();
    const { child, acknowledged } = startWriter(at, "killed");
    await expect.poll(() => acknowledged().length).toBeGreaterThan(20);
    child.kill("SIGKILL");
    await once(child, "close");
    const next = await open(at);
    await append(next, "next");
    const found = await textsIn(at);
    expect(found.at(-1)).toBe("next");
    expect(found.slice(0, acknowledged().length)).toEqual(acknowledged());
  });

  test("settles an append whose answer was lost, once", async () => {
    const at = await place();
    const proxy = await startFreezingProxy(`http://${cluster().hosts[0]}`);
    const through = at.replace(/\/\/[^/]*/, `//${new URL(proxy.url).host}`);
    const journal = await open(through);
    await append(journal, "a");
    proxy.freeze("answers");
    const lost = await append(journal, "b").catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(JournalOutcomeUnknownError);
    expect(journal.lastSequence).toBe(1);
    await expect(append(journal, "too early")).rejects.toThrow("the group before");
    await whenDurable((lost as JournalOutcomeUnknownError).settle(), () => undefined);
    expect(journal.lastSequence).toBe(2);
    await append(journal, "c");
    proxy.thaw();
    await append(journal, "d");
    expect(await textsIn(at)).toEqual(["a", "b", "c", "d"]);
    await proxy.close();
  });

  test("takes nothing twice that arrives late", async () => {
    const at = await place();
    const proxy = await startFreezingProxy(`http://${cluster().hosts[0]}`);
    const through = at.replace(/\/\/[^/]*/, `//${new URL(proxy.url).host}`);
    const journal = await open(through);
    await append(journal, "a");
    proxy.freeze();
    // Waits in the proxy while it is sent again past it.
    const unknown = await appendEach(journal, ["b", "c"]);
    expect(unknown).toBeGreaterThan(0);
    proxy.thaw();
    await appendEach(journal, ["d"]);
    expect(await textsIn(at)).toEqual(["a", "b", "c", "d"]);
    await proxy.close();
  });

  test("gives up an append of unknown outcome when its connection is closed", async () => {
    const at = await place();
    const proxy = await startFreezingProxy(`http://${cluster().hosts[0]}`);
    const journal = await open(at.replace(/\/\/[^/]*/, `//${new URL(proxy.url).host}`));
    proxy.freeze();
    const lost = await append(journal, "a").catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(JournalOutcomeUnknownError);
    await journal.close();
    const settling = whenDurable((lost as JournalOutcomeUnknownError).settle(), () => undefined);
    await expect(settling).rejects.toThrow("could not reach NATS");
    await proxy.close();
  });

  test("refuses a writer whose append is settled after another took over", async () => {
    const at = await place();
    const proxy = await startFreezingProxy(`http://${cluster().hosts[0]}`);
    const through = at.replace(/\/\/[^/]*/, `//${new URL(proxy.url).host}`);
    const journal = await open(through);
    await append(journal, "a");
    proxy.freeze();
    const lost = await append(journal, "lost").catch((error: unknown) => error);
    const next = await open(at);
    proxy.thaw();
    await expect(
      whenDurable((lost as JournalOutcomeUnknownError).settle(), () => undefined),
    ).rejects.toThrow(JournalFencedError);
    await append(next, "b");
    expect(await textsIn(at)).toEqual(["a", "b"]);
    await proxy.close();
  });

  for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
    // Seconds of elections each: a share of the tests has one.
    test.skipIf(!isFull && signal === "SIGSTOP")(
      `loses and doubles nothing when the server that leads its stream gets ${signal}`,
      async () => {
        const at = await place();
        const journal = await open(at);
        const follower = await open(at, { readOnly: true });
        const seen: string[] = [];
        const stop = new AbortController();
        const following = (async () => {
          for await (const { records } of follower.follow(1, stop.signal)) {
            seen.push(Buffer.from(records.subarray(4)).toString());
          }
        })();
        const texts: string[] = [];
        for (let round = 0; round < (isFull ? 5 : 1); round++) {
          const leader = await cluster().leaderOf(streamOf(at));
          const next = Array.from({ length: 120 }, (_, index) => `${round}-${index}`);
          await appendEach(journal, next.slice(0, 60));
          const rest = appendEach(journal, next.slice(60));
          cluster().signal(leader, signal);
          await rest;
          texts.push(...next);
          if (signal === "SIGKILL") await cluster().restart(leader);
          else cluster().signal(leader, "SIGCONT");
        }
        await expect.poll(() => seen.length).toBe(texts.length);
        stop.abort();
        await following;
        expect(seen).toEqual(texts);
        expect(await textsIn(at)).toEqual(texts);
      },
    );
  }

  test.skipIf(!isFull)(
    "waits while a majority of the servers is frozen, and continues",
    async () => {
      const at = await place();
      const journal = await open(at);
      const leader = await cluster().leaderOf(streamOf(at));
      const [other, third] = cluster().names.filter((name) => name !== leader);
      await appendEach(journal, ["a"]);
      // One that does not lead the stream is not missed.
      cluster().signal(other, "SIGSTOP");
      await appendEach(journal, ["b", "c"]);
      cluster().signal(third, "SIGSTOP");
      let isAnswered = false;
      let asked = 0;
      const group = groupBehind(journal, [Buffer.from("d")]);
      const appending = whenDurable(journal.append(group), () => (asked += 1)).then(
        () => (isAnswered = true),
      );
      await expect.poll(() => asked).toBeGreaterThan(1);
      expect(isAnswered).toBe(false);
      for (const name of [other, third]) cluster().signal(name, "SIGCONT");
      await appending;
      await appendEach(journal, ["e"]);
      expect(await textsIn(at)).toEqual(["a", "b", "c", "d", "e"]);
    },
  );

  test("refuses messages that are no group of its writer, and what follows them", async () => {
    const source = await place();
    const other = await open(source);
    await append(other, "a", "b");
    const manager = await jetstream(cluster().admin).jetstreamManager();
    const group = (await manager.streams.getMessage(streamOf(source), { seq: 2 }))?.data;
    if (group === undefined) throw new Error("there is no group");
    const flipped = group.slice();
    flipped[70] ^= 1;
    for (const [data, subject] of [
      [Buffer.from("hello"), "groups"],
      [Buffer.from("hello"), "segments"],
      [new Uint8Array(), "groups"],
      // Of another journal; torn; longer than it says.
      [group, "groups"],
      [group.subarray(0, 128), "groups"],
      [flipped, "groups"],
      [Buffer.concat([group, new Uint8Array(64)]), "groups"],
    ] as const) {
      const at = await place();
      const journal = await open(at);
      await append(journal, "a");
      await jetstream(cluster().admin).publish(`journal.${streamOf(at)}.${subject}`, data);
      await expect(append(journal, "b")).rejects.toThrow(JournalFencedError);
      await expect(open(at)).rejects.toThrow(JournalDamagedError);
      await expect(open(at)).rejects.toThrow(`stream ${streamOf(at)}, offset 3`);
      const damage = follow(journal).catch((error: unknown) => error);
      expect(await damage).toMatchObject({ name: "JournalDamagedError", sequence: 2, offset: 3 });
    }
  });

  async function follow(journal: Journal): Promise<void> {
    for await (const group of journal.follow(1, AbortSignal.timeout(10_000))) void group;
  }

  test("refuses a torn copy of its own newest group", async () => {
    const at = await place();
    const journal = await open(at);
    await append(journal, "a", "b");
    const manager = await jetstream(cluster().admin).jetstreamManager();
    const group = (await manager.streams.getMessage(streamOf(at), { seq: 2 }))?.data;
    await jetstream(cluster().admin).publish(`journal.${streamOf(at)}.groups`, group);
    await expect(follow(journal)).rejects.toThrow("stands in place of another");
  });

  test("is not created with one replica on a server that answers before it writes", async () => {
    const at = await place();
    const single = open(`${at}?replicas=1`);
    if (cluster().admin.info?.version.startsWith("2.9.") === true) {
      await expect(single).rejects.toThrow(/one replica on NATS 2\.9\.\d+, which acknowledges/);
    } else await expect(single).rejects.toThrow("name the server's monitoring endpoint");
    const manager = await jetstream(cluster().admin).jetstreamManager();
    await expect(manager.streams.info(streamOf(at))).rejects.toThrow("stream not found");
  });

  test("is not taken over in a stream that drops or loses messages", async () => {
    const manager = await jetstream(cluster().admin).jetstreamManager();
    for (const [fault, config] of [
      ["kept in memory", { storage: "memory" }],
      ["drops old messages (max_age)", { max_age: 3_600e9 }],
      ["limited number of messages", { max_msgs: 100 }],
      ["can be deleted", { deny_delete: false }],
      ["one replica", { num_replicas: 1 }],
      ["subjects are not", { subjects: ["anything"] }],
    ] satisfies [string, Partial<StreamConfig>][]) {
      const stream = freshStream();
      const subjects = [`journal.${stream}.groups`, `journal.${stream}.segments`];
      await manager.streams.add({
        name: stream,
        subjects,
        num_replicas: 3,
        deny_delete: true,
        deny_purge: true,
        discard: "new",
        ...config,
      });
      await expect(open(cluster().address(stream))).rejects.toThrow(fault);
      await manager.streams.delete(stream);
    }
  });

  test("in a stream that is missing is empty to a reader, who does not create it", async () => {
    const at = await place();
    const reader = await open(at, { readOnly: true });
    expect(reader).toMatchObject({ identity: 0, lastSequence: 0 });
    expect(await readAll(reader)).toEqual([]);
    const manager = await jetstream(cluster().admin).jetstreamManager();
    await expect(manager.streams.info(streamOf(at))).rejects.toThrow("stream not found");
    await expect(open("nats://127.0.0.1:1/x")).rejects.toThrow("NATS cannot be reached");
  });
});
