/**
 * Snapshots that nodes share in an object store of real NATS servers: one node shares, a new node starts
 * from the newest that is intact, and without any from the journal.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSharedSnapshots, type SharedSnapshots } from "#journal/shared-snapshots.ts";
import { type ClusterExchange, openCluster } from "#server/cluster/open-cluster.ts";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { opening } from "../engine/commands.ts";
import { describeOnNats } from "../support/on-nats.ts";

const SHARED_EVERY = 60_000;

describeOnNats("snapshots that nodes share", () => {
  const servers = sharedCluster();
  let folder: string;
  let stream: string;
  let journal: string;
  const stores: SharedSnapshots[] = [];
  const nodes: ClusterExchange[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "openbell-shared-"));
    stream = freshStream();
    journal = servers().address(stream);
  });
  afterEach(async () => {
    await Promise.all([...nodes, ...stores].map((each) => each.close()));
    nodes.length = 0;
    stores.length = 0;
    rmSync(folder, { recursive: true });
  });

  async function openStore(): Promise<SharedSnapshots> {
    const store = await openSharedSnapshots(journal);
    stores.push(store);
    return store;
  }

  function fileOf(text: string): string {
    const path = join(folder, "file");
    writeFileSync(path, text);
    return path;
  }

  async function textOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
    const all: Uint8Array[] = [];
    for await (const part of parts) all.push(part);
    return Buffer.concat(all).toString();
  }

  const at = (sequence: number, identity = 7) => ({ sequence, journal: identity, formats: "f" });

  /** Removes the chunks of every object, as a disk that lost them would. */
  async function loseChunks(): Promise<void> {
    const manager = await jetstreamManager(servers().admin);
    const bucket = `${stream}-snapshots`;
    await manager.streams.purge(`OBJ_${bucket}`, { filter: `$O.${bucket}.C.>` });
  }

  test("the two newest are kept, and a node may share only when it is its turn", async () => {
    const [one, other] = [await openStore(), await openStore()];
    expect(await one.list()).toEqual([]);
    const turns = await Promise.all([one.takeTurn(at(100), 50), other.takeTurn(at(101), 50)]);
    expect(turns.toSorted()).toEqual([false, true]);
    expect(await other.takeTurn(at(149), 50)).toBe(false);
    expect(await other.takeTurn(at(160), 50)).toBe(true);
    // What another journal has come to says nothing about this one.
    expect(await one.takeTurn(at(60, 8), 50)).toBe(true);

    for (const sequence of [100, 160, 220]) await one.share(at(sequence), fileOf(`of ${sequence}`));
    expect(await other.list()).toEqual([at(220), at(160)]);
    expect(await textOf(other.read(at(220)))).toBe("of 220");
    expect(await textOf(other.read(at(160)))).toBe("of 160");
    await expect(textOf(other.read(at(100)))).rejects.toThrow("another one has taken its place");
    await one.share(at(5, 8), fileOf("of another journal"));
    expect(await other.list()).toEqual([at(220), at(5, 8)]);
    await one.share(at(225), fileOf("in its place"));
    expect(await other.list()).toEqual([at(225), at(220)]);

    const large = "x".repeat(3_000_000);
    await one.share(at(280), fileOf(large));
    expect(await textOf(other.read(at(280)))).toBe(large);
    await loseChunks();
    await expect(textOf(other.read(at(280)))).rejects.toThrow("it is incomplete");
  });

  interface Said {
    readonly message: string;
    readonly sequence?: number;
  }

  async function openNode(name: string, said: Said[]): Promise<ClusterExchange> {
    const note = (fields: object, message: string) => void said.push({ ...fields, message });
    const node = await openCluster({
      dataDir: join(folder, name),
      journal,
      onEvents: () => undefined,
      sharedEvery: SHARED_EVERY,
      snapshots: { everyCommands: 10_000, busyShareMax: 1, restore: () => undefined },
      log: { info: note, warn: note, error: note },
    });
    nodes.push(node);
    return node;
  }

  test("a new node starts from one, and from the journal if none is intact", async () => {
    const said: Said[] = [];
    const leader = await openNode("a", said);
    for (const command of opening(2 ** 40, 2 ** 36)) await leader.submit(command);
    const isShared = () => said.some(({ message }) => message.startsWith("shared the snapshot"));
    const submit = (count: number) =>
      Promise.all(Array.from({ length: count }, () => leader.submit({ type: "advanceTime" })));
    // A leader alone shares after twice as many.
    for (let count = 0; count < 2 * SHARED_EVERY; count += 1_000) await submit(1_000);
    for (; !isShared(); await delay(50)) await submit(500);
    const state = await leader.stateHash();

    const heard: Said[] = [];
    const added = await openNode("b", heard);
    await expect.poll(() => added.status().role).toBe("standby");
    await expect.poll(() => added.stateHash()).toEqual(state);
    const fetched = heard.find(({ message }) => message === "fetched a snapshot of another node");
    const { sequence = 0 } = fetched ?? expect.fail(JSON.stringify(heard));
    expect(sequence).toBeGreaterThan(2 * SHARED_EVERY);
    expect(heard).toContainEqual({ sequence, message: "the exchange continues from a snapshot" });
    const path = `snapshots/snapshot-${String(sequence).padStart(16, "0")}.snapshot`;
    const [own, theirs] = ["a", "b"].map((name) => join(folder, name, path));
    expect(readFileSync(theirs).equals(readFileSync(own))).toBe(true);

    await loseChunks();
    const last: Said[] = [];
    const another = await openNode("c", last);
    await expect.poll(() => another.stateHash()).toEqual(state);
    expect(last.map(({ message }) => message)).toContain("passed over a snapshot of another node");
    expect(last.map(({ message }) => message)).not.toContain(
      "the exchange continues from a snapshot",
    );
  });
});
