/**
 * One exchange on three nodes and three NATS servers, under load through all nodes at once. Its leader is
 * killed, frozen and told to step down. At the end every acknowledged command is in the journal where it
 * was said to be, none is there twice, and all nodes are in the state that a replay leads to.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventsUntil } from "#server/inspection/journal-events.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { ClusterNode } from "../support/cluster-node.ts";
import { describeOnNats } from "../support/on-nats.ts";

const KILLS = Number(process.env.CLUSTER_KILLS ?? 6);

const ACKNOWLEDGED_MS_MAX = 30_000;

describeOnNats("an exchange on three nodes", () => {
  const servers = sharedCluster();
  let folder: string;
  let stream: string;
  let journal: string;
  let nodes: ClusterNode[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "openbell-cluster-"));
    stream = freshStream();
    journal = servers().address(stream);
    let runs = 0;
    nodes = ["a", "b", "c"].map(
      (name) => new ClusterNode(join(folder, name), journal, () => runs++),
    );
    await Promise.all(nodes.map((node) => node.start()));
    await nodes[0].ask("setup", "resting");
  });
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(folder, { recursive: true });
  });

  async function roleOf(node: ClusterNode): Promise<string> {
    return (await node.ask("status"))[1];
  }

  async function leader(): Promise<ClusterNode> {
    for (;;) {
      for (const node of nodes) if ((await roleOf(node)) === "leader") return node;
      await delay(50);
    }
  }

  /** Resolves when each of them has acknowledged something that it did not before. */
  async function whenAcknowledged(by: readonly ClusterNode[]): Promise<void> {
    const before = by.map(({ acknowledged }) => acknowledged.size);
    for (const endMs = performance.now() + ACKNOWLEDGED_MS_MAX; ; await delay(20)) {
      const since = by.map(({ acknowledged }, at) => acknowledged.size - before[at]);
      if (since.every((count) => count > 20)) return;
      if (performance.now() < endMs) continue;
      const states = await Promise.all(
        by.map(async (node) => (await node.ask("status")).join(" ")),
      );
      const said = by.map((node, at) => [states[at], ...node.errors, ...node.said].join("\n"));
      expect.fail(`acknowledged since: ${since.join(", ")}\n${said.join("\n\n")}`);
    }
  }

  /** Milliseconds from now until another node than this one acknowledges a command. */
  async function pauseOf(others: readonly ClusterNode[]): Promise<number> {
    const startMs = performance.now();
    // What was on its way may still be heard.
    await delay(300);
    let quietMs = Math.max(startMs, ...others.map(({ lastMs }) => lastMs));
    for (;;) {
      await delay(5);
      const lastMs = Math.max(...others.map((node) => node.lastMs));
      if (lastMs > quietMs) return lastMs - startMs;
      quietMs = Math.max(quietMs, lastMs);
    }
  }

  async function expectNothingLostOrDoubled(): Promise<void> {
    await Promise.all(nodes.map((node) => node.ask("rest", "resting")));
    expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
    const placed = new Map<number, { sequence: number; orderId: number }>();
    const rejected = new Set<number>();
    const doubled: number[] = [];
    for await (const events of eventsUntil({ dataDir: folder, journal }, Infinity)) {
      for (const event of events) {
        if (event.type === "commandRejected") rejected.add(event.sequence);
        if (event.type !== "orderPlaced") continue;
        const { orderId, quantityLots, sequence } = event;
        if (placed.has(quantityLots)) doubled.push(quantityLots);
        placed.set(quantityLots, { sequence, orderId });
      }
    }
    expect(doubled).toEqual([]);
    const wrong = nodes
      .flatMap(({ acknowledged }) => [...acknowledged])
      .filter(([key, { sequence, isPlaced, orderId }]) => {
        const found = placed.get(key);
        if (!isPlaced) return !rejected.has(sequence) || found !== undefined;
        return found?.sequence !== sequence || found.orderId !== orderId;
      });
    expect(wrong).toEqual([]);
    const report = await verifyJournal({ dataDir: folder, journal });
    expect(report.faults).toEqual([]);
    const state = ["hash", String(report.sequence), report.stateHash];
    for (const node of nodes) await expect.poll(() => node.ask("hash")).toEqual(state);
  }

  test(`loses and doubles nothing when its leader is killed ${KILLS} times`, async () => {
    for (const node of nodes) node.tell("load");
    const pauses: number[] = [];
    for (let kills = 0; kills < KILLS; kills++) {
      await whenAcknowledged(nodes);
      const killed = await leader();
      const others = nodes.filter((node) => node !== killed);
      await killed.kill();
      pauses.push(Math.round(await pauseOf(others)));
      await whenAcknowledged(others);
      await killed.start();
      killed.tell("load");
      await expect.poll(() => roleOf(killed)).toBe("standby");
    }
    console.log(`milliseconds without an acknowledged command: ${pauses.join(", ")}`);
    await expectNothingLostOrDoubled();
  });

  test("restores a leader that was frozen while another took over", async () => {
    for (const node of nodes) node.tell("load");
    await whenAcknowledged(nodes);
    const frozen = await leader();
    const others = nodes.filter((node) => node !== frozen);
    frozen.signal("SIGSTOP");
    await expect.poll(async () => Promise.all(others.map(roleOf))).toContain("leader");
    await whenAcknowledged(others);
    frozen.signal("SIGCONT");
    await expect.poll(() => roleOf(frozen)).toBe("standby");
    await whenAcknowledged(nodes);
    await expectNothingLostOrDoubled();
  });

  test("goes on when the server that leads its stream dies together with its leader", async () => {
    for (const node of nodes) node.tell("load");
    await whenAcknowledged(nodes);
    const killed = await leader();
    const others = nodes.filter((node) => node !== killed);
    const server = await servers().leaderOf(stream);
    servers().signal(server, "SIGKILL");
    await killed.kill();
    const pauseMs = Math.round(await pauseOf(others));
    console.log(`milliseconds without an acknowledged command: ${pauseMs}`);
    await whenAcknowledged(others);
    await servers().restart(server);
    await killed.start();
    await expect.poll(() => roleOf(killed)).toBe("standby");
    killed.tell("load");
    await whenAcknowledged(nodes);
    await expectNothingLostOrDoubled();
  });

  test("stops a node that comes to another state than its leader, and says so", async () => {
    const [first, second, third] = nodes;
    await third.close();
    for (const node of [first, second]) node.tell("load");
    await whenAcknowledged([first, second]);
    await third.start({
      file: "src/engine/amount.ts",
      line: "return quotient * b === a ? quotient : quotient + 1;",
      mistake: "return quotient;",
    });
    // The next leader says its state; it must not be the one that is wrong.
    third.signal("SIGSTOP");
    nodes = [first, second];
    const before = await leader();
    before.tell("step-down");
    await expect.poll(async () => (await leader()) === before).toBe(false);
    third.signal("SIGCONT");
    const error = expect.stringContaining("this node differs from the leading one");
    await expect.poll(() => third.errors).toContainEqual(error);
    await third.kill();
    await whenAcknowledged(nodes);
    await expectNothingLostOrDoubled();
  });

  test("hands over when its leader steps down, and when it is stopped", async () => {
    for (const node of nodes) node.tell("load");
    await whenAcknowledged(nodes);
    const first = await leader();
    first.tell("step-down");
    await expect.poll(() => roleOf(first)).toBe("standby");
    await whenAcknowledged(nodes);
    const second = await leader();
    expect(second).not.toBe(first);
    await second.ask("rest", "resting");
    await second.close();
    nodes = nodes.filter((node) => node !== second);
    await whenAcknowledged(nodes);
    await expectNothingLostOrDoubled();
  });
});
