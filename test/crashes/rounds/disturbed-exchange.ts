/**
 * One exchange on three nodes, which are the whole program, three NATS servers and PostgreSQL, with users on
 * every node. Each way from a node to a NATS server or the database, and from one NATS server to another, is a
 * link of its own.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { askingNodes } from "#server/cluster/nats/ask-nodes.ts";
import type { NodeStatus } from "#server/cluster/cluster-links.ts";
import { type Random, seededRandom } from "../../disk/journal-disk.ts";
import { signUp } from "../../hostile-input/bad-input-clients.ts";
import { type FreezingProxy, startFreezingProxy } from "../../support/freezing-proxy.ts";
import { NatsCluster } from "../../support/nats-cluster.ts";
import { type RunningServer, startServerProcess } from "../../support/running-server.ts";
import { OrderClient } from "./order-client.ts";

const NODES = ["a", "b", "c"];
const USERS_PER_NODE = 3;
const STREAM = "rounds";
/** Its name as the end of a link. */
export const DATABASE = "database";
const POSTGRES_PORT = "5432";
const HEALTH_MS_MAX = 3_000;
/** Within that the exchange is whole again after everything was mended. */
const MENDED_MS_MAX = 120_000;
const POLL_MS = 100;

/** A way from one process to another, by their names. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly proxy: FreezingProxy;
}

export interface DisturbedNode {
  readonly name: string;
  readonly server: RunningServer;
  readonly clients: readonly OrderClient[];
}

interface Health {
  readonly status: string;
  readonly sequence: number;
  readonly node?: Pick<NodeStatus, "role" | "term">;
  readonly history?: { readonly status: string; readonly projectedSequence: number };
}

function isReady(health: Health | undefined): boolean {
  return health?.node?.role === "leader" || health?.node?.role === "standby";
}

export class DisturbedExchange {
  readonly servers: NatsCluster;
  readonly links: readonly Link[];
  readonly nodes: DisturbedNode[] = [];

  private constructor(servers: NatsCluster, links: readonly Link[]) {
    this.servers = servers;
    this.links = links;
  }

  /** @param databaseUrl of an empty database of PostgreSQL */
  static async start(folder: string, databaseUrl: string): Promise<DisturbedExchange> {
    const links: Link[] = [];
    const link = async (from: string, to: string, port: number) => {
      const proxy = await startFreezingProxy(`http://127.0.0.1:${port}`);
      links.push({ from, to, proxy });
      return Number(new URL(proxy.url).port);
    };
    const servers = await NatsCluster.start({ routePort: link });
    const exchange = new DisturbedExchange(servers, links);
    try {
      await exchange.#startNodes(folder, databaseUrl, link);
      await exchange.#signUpUsers();
      return exchange;
    } catch (error) {
      await exchange.close();
      throw error;
    }
  }

  async #startNodes(
    folder: string,
    databaseUrl: string,
    link: (from: string, to: string, port: number) => Promise<number>,
  ): Promise<void> {
    const { servers } = this;
    for (const name of NODES) {
      const ports = await Promise.all(
        servers.hosts.map((host, at) => link(name, servers.names[at], Number(host.split(":")[1]))),
      );
      const database = new URL(databaseUrl);
      database.port = String(await link(name, DATABASE, Number(database.port || POSTGRES_PORT)));
      const server = await startServerProcess({
        AUTH_RATE_LIMIT: "off",
        AUTH_SECRET: "0123456789abcdef0123456789abcdef",
        BACKEND_TOKEN_SECONDS: "3600",
        DATA_DIR: join(folder, name),
        DATABASE_URL: database.href,
        NATS_URL: `nats://${ports.map((port) => `127.0.0.1:${port}`).join(",")}/${STREAM}`,
        PRACTICE_FUNDS: "USD:1000000000,BTC:100000",
        SIMULATION: "off",
      });
      this.nodes.push({ name, server, clients: [] });
    }
  }

  /** The address of the journal past all links. */
  get journal(): string {
    return this.servers.address(STREAM);
  }

  get clients(): readonly OrderClient[] {
    return this.nodes.flatMap(({ clients }) => clients);
  }

  readonly streamLeader = (): Promise<string> => this.servers.leaderOf(STREAM);

  async leader(): Promise<DisturbedNode> {
    for (;;) {
      for (const node of this.nodes) {
        if ((await this.health(node))?.node?.role === "leader") return node;
      }
      await delay(POLL_MS);
    }
  }

  /** Undefined if the node does not answer. */
  async health({ server }: DisturbedNode): Promise<Health | undefined> {
    try {
      const answer = await fetch(`${server.url}/api/health`, {
        signal: AbortSignal.timeout(HEALTH_MS_MAX),
      });
      return (await answer.json()) as Health;
    } catch {
      return undefined;
    }
  }

  /** Resolves when every user has been acknowledged something new. @throws Error with what nodes said */
  async whenAcknowledged(): Promise<void> {
    const before = this.clients.map(({ acknowledged }) => acknowledged.size);
    await this.#until("every user is answered", async () =>
      this.clients.every(({ acknowledged }, at) => acknowledged.size > before[at]),
    );
  }

  /** Resolves when no client waits for an answer. @throws Error with what nodes said */
  async whenResting(): Promise<void> {
    let isResting = false;
    const resting = Promise.all(this.clients.map((client) => client.rest())).then(
      () => (isResting = true),
    );
    await Promise.race([resting, this.#until("all users rest", async () => isResting)]);
  }

  /**
   * The state that all nodes and the leader have found to be the same, after everything acknowledged until
   * now and with the history projected; by a new leader, because it says its state.
   */
  async agreedState(): Promise<{ sequence: number; hash: string }> {
    const healths = await Promise.all(this.nodes.map((node) => this.health(node)));
    const reached = Math.max(...healths.map((health) => health?.sequence ?? 0));
    await askingNodes(this.journal, (nodes) => nodes.stepDown("a test compares states"));
    let agreed: NodeStatus["compared"];
    await this.#until("all nodes have compared their states", async () => {
      await this.clients[0].placeOne();
      const statuses = await askingNodes(this.journal, (nodes) => nodes.list());
      const [first] = statuses.map(({ compared }) => compared);
      agreed = first;
      return (
        first !== undefined &&
        first.sequence > reached &&
        statuses.length === this.nodes.length &&
        statuses.every(({ compared }) => JSON.stringify(compared) === JSON.stringify(first))
      );
    });
    await this.#until("the history is projected", async () => {
      const now = await Promise.all(this.nodes.map((node) => this.health(node)));
      return now.every(
        (health) =>
          health?.status === "ok" &&
          health.history?.status === "ok" &&
          health.history.projectedSequence >= reached,
      );
    });
    if (agreed === undefined) throw new Error("no node has compared its state");
    return agreed;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await Promise.all(this.nodes.map(({ server }) => server.remove()));
    await this.servers.stop();
    await Promise.all(this.links.map(({ proxy }) => proxy.close()));
  }

  async #signUpUsers(): Promise<void> {
    const random: Random = seededRandom(1);
    for (const [at, node] of this.nodes.entries()) {
      await this.#until(`node ${node.name} is ready`, async () => {
        return isReady(await this.health(node));
      });
      const clients: OrderClient[] = [];
      for (let user = 1; user <= USERS_PER_NODE; user++) {
        const { cookie } = await signUp(node.server.url, `User-${node.name}-${user}`);
        clients.push(new OrderClient(node.server.url, cookie, random));
      }
      this.nodes[at] = { ...node, clients };
    }
    await Promise.all(this.clients.map((client) => client.takeFunds()));
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const endMs = performance.now() + MENDED_MS_MAX; !(await isSo()); await delay(POLL_MS)) {
      if (performance.now() < endMs) continue;
      const states = await Promise.all(this.nodes.map((node) => this.health(node)));
      const said = this.nodes.map(({ name, server }, at) =>
        [`${name}: ${JSON.stringify(states[at])}`, ...server.output().split("\n").slice(-40)].join(
          "\n",
        ),
      );
      throw new Error(`not within ${MENDED_MS_MAX} ms: ${what}\n${said.join("\n\n")}`);
    }
  }
}
