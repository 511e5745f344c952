/** What the parts of `bench/cluster.ts` share: whole nodes on a stream and a database of their own. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { NodeStatus } from "#server/cluster/cluster-links.ts";
import { askingNodes } from "#server/cluster/nats/ask-nodes.ts";
import type { NatsCluster } from "#test/support/nats-cluster.ts";
import { onPostgres, postgresUrlOf } from "#test/support/own-database.ts";
import { type MeasuredServer, startServer } from "./page-scene.ts";

export interface ClusterScene {
  /** Removed at the end. */
  readonly folder: string;
  readonly servers: NatsCluster;
  readonly print: (line?: string) => void;
}

interface Health {
  readonly sequence: number;
  readonly node?: { readonly role: string };
}

const POLL_MS = 100;
const WAIT_MS_MAX = 120_000;

/** Nodes that are the whole program; the first of them leads. */
export class BenchNodes {
  readonly nodes: readonly MeasuredServer[];
  readonly #journal: string;
  readonly #database: string;

  private constructor(journal: string, database: string, nodes: readonly MeasuredServer[]) {
    this.#journal = journal;
    this.#database = database;
    this.nodes = nodes;
  }

  /**
   * @param name of the stream and of the database
   * @param settings of each node
   */
  static async start(
    { folder, servers }: ClusterScene,
    name: string,
    count: number,
    settings: Readonly<Record<string, string>>,
  ): Promise<BenchNodes> {
    const journal = servers.address(name);
    const database = `openbell_bench_${name}_${process.pid}`;
    await onPostgres(`create database ${database}`);
    const nodes: MeasuredServer[] = [];
    const started = new BenchNodes(journal, database, nodes);
    try {
      for (let number = 0; number < count; number++) {
        const dataDir = join(folder, `${name}-${number}`);
        await mkdir(dataDir);
        const node = await startServer(dataDir, [], {
          AUTH_SECRET: "the-secret-of-the-nodes-of-the-benchmark",
          DATABASE_URL: postgresUrlOf(database),
          NATS_URL: journal,
          ...settings,
        });
        nodes.push(node);
        const role = number === 0 ? "leader" : "standby";
        await until(async () => (await healthOf(node)).node?.role === role);
      }
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  /** How many commands the journal has, once all nodes have them. */
  async sequence(): Promise<number> {
    let sequence = 0;
    await until(async () => {
      const sequences = await Promise.all(this.nodes.map(async (node) => await healthOf(node)));
      sequence = sequences[0].sequence;
      return sequences.every((health) => health.sequence === sequence);
    });
    return sequence;
  }

  /**
   * Has another node lead, which says its state, and resolves with the hash that all nodes have found.
   * @param submit any command: the hash is said with one
   */
  async agreedHash(submit: () => Promise<unknown>): Promise<string> {
    const sequence = await this.sequence();
    await askingNodes(this.#journal, (nodes) => nodes.stepDown("the benchmark compares states"));
    let agreed: NodeStatus["compared"];
    await until(async () => {
      await submit();
      const statuses = await askingNodes(this.#journal, (nodes) => nodes.list());
      agreed = statuses[0]?.compared;
      const isSame = ({ compared }: NodeStatus) =>
        compared?.sequence === agreed?.sequence && compared?.hash === agreed?.hash;
      return (
        (agreed?.sequence ?? 0) > sequence &&
        statuses.length === this.nodes.length &&
        statuses.every(isSame)
      );
    });
    return agreed?.hash ?? "";
  }

  async close(): Promise<void> {
    for (const node of this.nodes) await node.stop();
    await onPostgres(`drop database if exists ${this.#database} with (force)`);
  }
}

async function healthOf({ url }: MeasuredServer): Promise<Health> {
  return (await (await fetch(`${url}/api/health`)).json()) as Health;
}

/** @throws Error after two minutes */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + WAIT_MS_MAX; !(await isSo()); await delay(POLL_MS)) {
    if (performance.now() > endMs) throw new Error("the nodes did not come to what was awaited");
  }
}
