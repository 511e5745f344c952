/**
 * A stream on real NATS servers whose oldest messages move to an archive: what reads an exchange reads them
 * there, and what has no archive begins from a snapshot, or says what is missing.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command } from "#engine/commands.ts";
import { parseStreamAddress } from "#journal/jetstream/stream-address.ts";
import { openJournal, placeWithArchive } from "#journal/open-journal.ts";
import { type ClusterExchange, openCluster } from "#server/cluster/open-cluster.ts";
import { backUp } from "#server/inspection/back-up.ts";
import { copyJournalTo } from "#server/inspection/copy-journal.ts";
import { inspectJournal } from "#server/inspection/inspect-journal.ts";
import { describeReport, verifyJournal } from "#server/inspection/verify-journal.ts";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { opening } from "../engine/commands.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { append, readAll } from "../support/record-groups.ts";

describeOnNats("a stream that is shortened", () => {
  const servers = sharedCluster();
  let folder: string;
  let stream: string;
  let archive: string;
  /** Without an archive. */
  let bare: string;
  let journal: string;
  const nodes: ClusterExchange[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "openbell-shortened-"));
    archive = join(folder, "archive");
    mkdirSync(archive);
    stream = freshStream();
    bare = servers().address(stream);
    journal = placeWithArchive(bare, archive);
  });
  afterEach(async () => {
    await Promise.all(nodes.map((each) => each.close()));
    nodes.length = 0;
    rmSync(folder, { recursive: true });
  });

  interface Said {
    readonly message: string;
    readonly sequence?: number;
    readonly firstSequence?: number;
    readonly reason?: string;
  }

  async function openNode(name: string, said: Said[], place = journal): Promise<ClusterExchange> {
    const note = (fields: object, message: string) => void said.push({ ...fields, message });
    const node = await openCluster({
      dataDir: join(folder, name),
      journal: place,
      onEvents: () => undefined,
      sharedEvery: 15_000,
      segmentBytes: 256 * 1024,
      snapshots: {
        everyCommands: 10_000,
        busyShareMax: 1,
        restore: () => undefined,
        archive: { directory: archive, afterMs: 0 },
      },
      log: { info: note, warn: note, error: note },
    });
    nodes.push(node);
    return node;
  }

  /** Submits until the stream has lost its first commands. @returns with which one it begins */
  async function shortened(node: ClusterExchange, said: readonly Said[]): Promise<number> {
    const moved = () => said.findLast(({ message }) => message.startsWith("moved the oldest"));
    for (; (moved()?.firstSequence ?? 1) === 1; await delay(100)) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => node.submit(order(index))));
    }
    return moved()?.firstSequence ?? 1;
  }

  const order = (index: number): Command => ({
    type: "placeOrder",
    account: 17 + (index % 2),
    marketId: 1,
    side: index % 4 < 2 ? "buy" : "sell",
    orderType: "limit",
    timeInForce: "ioc",
    postOnly: false,
    priceTicks: 100 as Ticks,
    quantityLots: (1 + (index % 7)) as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  });

  async function closeAll(): Promise<void> {
    for (const node of nodes.splice(0)) await node.close();
  }

  /** With which the stream begins. */
  async function firstSequence(): Promise<number> {
    const reader = await openJournal(bare, { readOnly: true });
    await reader.close();
    return reader.firstSequence;
  }

  const manager = () => jetstreamManager(servers().admin);

  test("is read with its archive as before, and without it from a snapshot", async () => {
    const said: Said[] = [];
    const leader = await openNode("a", said);
    const standby = await openNode("b", said);
    for (const command of opening(2 ** 40, 2 ** 36)) await leader.submit(command);
    const first = await shortened(leader, said);
    expect(first).toBeGreaterThan(1_000);
    const { state } = await (await manager()).streams.info(stream);
    expect(state.first_seq).toBeGreaterThan(1);
    const hash = await leader.stateHash();
    await expect.poll(() => standby.stateHash()).toEqual(hash);

    // A node without an archive, which it does not need.
    const heard: Said[] = [];
    const added = await openNode("c", heard, bare);
    await expect.poll(() => added.stateHash()).toEqual(hash);
    const fetched = heard.find(({ message }) => message === "fetched a snapshot of another node");
    expect(fetched?.sequence).toBeGreaterThanOrEqual(first - 1);
    // The leader continues archiving, also after it has changed.
    leader.stepDown();
    await expect.poll(() => leader.status().role).toBe("standby");
    await expect.poll(() => nodes.some((node) => node.status().role === "leader")).toBe(true);
    await leader.submit(order(1));
    const { hash: stateHash, sequence } = await leader.stateHash();
    await closeAll();
    const begins = await firstSequence();

    const nowhere = join(folder, "nowhere");
    const whole = await verifyJournal({ dataDir: nowhere, journal });
    expect(whole).toMatchObject({ faults: [], from: undefined, sequence, stateHash });
    const shared = await verifyJournal({ dataDir: nowhere, journal: bare });
    expect(shared).toMatchObject({ faults: [], sequence, stateHash });
    expect(shared.from?.sequence).toBeGreaterThanOrEqual(begins - 1);
    expect(describeReport(shared)).toContain(
      `begins      after sequence ${shared.from?.sequence}, with the state of a snapshot`,
    );
    const own = await verifyJournal({ dataDir: join(folder, "a"), journal: bare });
    expect(own.from?.place).toContain("snapshots/snapshot-");
    expect(own).toMatchObject({ faults: [], sequence, stateHash });

    const lines = await inspectJournal({ dataDir: nowhere, journal, to: 5 });
    expect(lines[0]).toBe("sequence    5");
    const gone = `begins at sequence ${begins}; the commands before are in the archive, and none is named`;
    await expect(inspectJournal({ dataDir: nowhere, journal: bare, to: 5 })).rejects.toThrow(gone);

    const copied = await copyJournalTo(journal, join(folder, "files"), () => undefined);
    expect(copied).toEqual({ sequence, stateHash });
    await expect(copyJournalTo(bare, join(folder, "no"), () => undefined)).rejects.toThrow(gone);
    await backUp({ from: join(folder, "a"), to: join(folder, "backup"), journal });
    const restored = await verifyJournal({ dataDir: join(folder, "backup") });
    expect(restored).toMatchObject({ faults: [], from: undefined, sequence, stateHash });

    // The stream of its own that a copy makes may be shortened as well.
    const again = placeWithArchive(servers().address(freshStream()), join(folder, "other archive"));
    expect(await copyJournalTo(journal, again, () => undefined)).toEqual({ sequence, stateHash });

    renameSync(archive, join(folder, "away"));
    await expect(inspectJournal({ dataDir: nowhere, journal, to: 5 })).rejects.toThrow(" of its ");
    cpSync(join(folder, "away"), archive, { recursive: true });
    await inspectJournal({ dataDir: nowhere, journal, to: 5 });
  });

  test(
    "is whole with its archive wherever the process that shortens it is killed",
    { timeout: 900_000 },
    async () => {
      const host = new URL("shorten-host.ts", import.meta.url).pathname;
      for (let step = 0, hasEnded = false; !hasEnded; step++) {
        const archives = join(folder, `archive-${step}`);
        mkdirSync(archives);
        const place = placeWithArchive(servers().address(freshStream()), archives);
        for (let term = 1; term <= 3; term++) {
          const writer = await openJournal(place, {});
          for (let group = 1; group <= 10; group++) {
            await append(writer, `${term}-${group} ${"x".repeat(2_000)}`);
          }
          await writer.close();
        }
        const all = async () => {
          const reader = await openJournal(place, { readOnly: true });
          const found = await readAll(reader);
          await reader.close();
          return found;
        };
        const before = await all();
        const run = (killedAt: number) =>
          spawnSync(process.execPath, [host, place, archives, String(killedAt)], {
            stdio: "inherit",
          });
        const { signal, status } = run(step);
        hasEnded = signal === null;
        expect(hasEnded ? status : signal).toBe(hasEnded ? 0 : "SIGKILL");
        expect(await all()).toEqual(before);
        expect(run(Number.MAX_SAFE_INTEGER).status).toBe(0);
        expect(await all()).toEqual(before);
        const { state } = await (await manager()).streams.info(parseStreamAddress(place).stream);
        expect(state.first_seq).toBeGreaterThan(20);
        await (await manager()).streams.delete(parseStreamAddress(place).stream);
      }
    },
  );

  test("says what is missing to a node without a snapshot and without the archive", async () => {
    const said: Said[] = [];
    const leader = await openNode("a", said);
    for (const command of opening(2 ** 40, 2 ** 36)) await leader.submit(command);
    const first = await shortened(leader, said);
    await closeAll();
    const begins = await firstSequence();
    const jsm = await manager();
    await jsm.streams.delete(`OBJ_${stream}-snapshots`);
    const gone = `begins at sequence ${begins}; the commands before are in the archive`;
    await expect(openNode("b", [], bare)).rejects.toThrow(gone);
    // With the archive it replays everything.
    const heard: Said[] = [];
    const rebuilt = await openNode("b", heard);
    expect(rebuilt.status().sequence).toBeGreaterThan(begins);
    expect(first).toBeLessThanOrEqual(begins);
    await closeAll();
    const { state } = await jsm.streams.info(stream);
    await jsm.streams.purge(stream, { seq: state.first_seq + 1 });
    await expect(openNode("d", [])).rejects.toThrow("in no archive");
  });

  test("that was restored from an older copy is refused beside snapshots that are newer", async () => {
    const said: Said[] = [];
    const leader = await openNode("a", said);
    for (const command of opening(2 ** 40, 2 ** 36)) await leader.submit(command);
    const older = join(folder, "older");
    await backUp({ from: join(folder, "a"), to: older, journal });
    const isShared = () => said.some(({ message }) => message.startsWith("shared the snapshot"));
    for (; !isShared(); await delay(20)) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => leader.submit(order(index))));
    }
    await closeAll();
    await (await manager()).streams.delete(stream);
    await copyJournalTo(older, bare, () => undefined);
    await expect(openNode("b", [])).rejects.toThrow(
      "but the nodes have shared a snapshot of sequence",
    );
  });
});
