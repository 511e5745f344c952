/** Three real nats-server processes as one JetStream cluster in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";

export const NATS_BINARY = process.env.NATS_SERVER ?? "/usr/sbin/nats-server";
const SERVERS = ["one", "two", "three"];
const START_MS_MAX = 30_000;

/** What `nats-server --version` says. @throws Error if there is none */
export function natsVersion(): string {
  const { error, stdout } = spawnSync(NATS_BINARY, ["--version"], { encoding: "utf8" });
  if (error !== undefined) throw error;
  return stdout.trim();
}

export interface NatsClusterOptions {
  /** The port through which `from` reaches `to`, which listens for the other servers at `port`. */
  readonly routePort?: (from: string, to: string, port: number) => Promise<number>;
}

interface Server {
  readonly name: string;
  readonly port: number;
  readonly config: string;
  process: ChildProcess;
}

export class NatsCluster {
  readonly #folder: string;
  readonly #servers: readonly Server[];
  readonly #admin: NatsConnection;
  /** Servers that were frozen since the last call of `restartFrozen`. */
  readonly #frozen = new Set<string>();

  private constructor(folder: string, servers: readonly Server[], admin: NatsConnection) {
    this.#folder = folder;
    this.#servers = servers;
    this.#admin = admin;
  }

  /** Resolves once streams of three replicas can be created. */
  static async start({ routePort }: NatsClusterOptions = {}): Promise<NatsCluster> {
    const folder = await mkdtemp(join(tmpdir(), "openbell-nats-"));
    const ports = await freePorts(SERVERS.length * 2);
    const servers: Server[] = [];
    for (const [at, name] of SERVERS.entries()) {
      const store = join(folder, name);
      await mkdir(store);
      const config = join(folder, `${name}.conf`);
      const clusterPort = ports[SERVERS.length + at];
      const routes = await Promise.all(
        SERVERS.map(async (other, index) => {
          const port = ports[SERVERS.length + index];
          const through = other === name ? port : await routePort?.(name, other, port);
          return `nats://127.0.0.1:${through ?? port}`;
        }),
      );
      // Servers tell each other and clients where others are: then nowhere, so that each keeps to its links.
      const hiding =
        routePort === undefined ? "" : 'no_advertise: true, advertise: "127.0.0.1:1", ';
      await writeFile(
        config,
        `server_name: ${name}\nlisten: "127.0.0.1:${ports[at]}"\n` +
          `jetstream { store_dir: "${store}", max_file_store: 2GB }\n` +
          `cluster { name: test, listen: "127.0.0.1:${clusterPort}", ${hiding}` +
          `routes: [${routes.join(", ")}] }\n`,
      );
      servers.push({ name, port: ports[at], config, process: startServer(config) });
    }
    const admin = await connectRetrying(servers.map(({ port }) => `127.0.0.1:${port}`));
    const cluster = new NatsCluster(folder, servers, admin);
    await cluster.whenComplete();
    return cluster;
  }

  /** A connection of the test's own, for administration. */
  get admin(): NatsConnection {
    return this.#admin;
  }

  /** HOST:PORT of every server. */
  get hosts(): readonly string[] {
    return this.#servers.map(({ port }) => `127.0.0.1:${port}`);
  }

  get names(): readonly string[] {
    return this.#servers.map(({ name }) => name);
  }

  /** The address of a journal in a stream of this name. */
  address(stream: string): string {
    return `nats://${this.hosts.join(",")}/${stream}`;
  }

  /** Resolves with the stream's leader, once it has one. */
  async leaderOf(stream: string): Promise<string> {
    for (const end = Date.now() + START_MS_MAX; ; await delay(100)) {
      try {
        const manager = await jetstreamManager(this.#admin, { timeout: 2_000 });
        const { cluster } = await manager.streams.info(stream);
        if (cluster?.leader !== undefined) return cluster.leader;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** The ids of the servers' processes. */
  get pids(): readonly number[] {
    return this.#servers.map(({ process }) => process.pid ?? 0);
  }

  signal(name: string, signal: NodeJS.Signals): void {
    if (signal === "SIGSTOP") this.#frozen.add(name);
    this.#named(name).process.kill(signal);
  }

  /**
   * Kills and starts the servers that were frozen, as an operator does where NATS 2.9 takes nothing after it
   * (docs/cluster.md).
   * @returns their names
   */
  async restartFrozen(): Promise<readonly string[]> {
    const names = [...this.#frozen];
    this.#frozen.clear();
    for (const name of names) {
      this.signal(name, "SIGKILL");
      await this.relaunch(name);
    }
    return names;
  }

  /** Starts a server that was killed, and waits until it has joined the others. */
  async restart(name: string): Promise<void> {
    await this.relaunch(name);
    await this.whenComplete();
  }

  /** Starts a server that was killed. */
  async relaunch(name: string): Promise<void> {
    const server = this.#named(name);
    if (server.process.exitCode === null && server.process.signalCode === null) {
      await once(server.process, "exit");
    }
    server.process = startServer(server.config);
  }

  async stop(): Promise<void> {
    await this.#admin.close();
    for (const { process } of this.#servers) {
      if (process.exitCode !== null || process.signalCode !== null) continue;
      const ended = once(process, "exit");
      process.kill("SIGKILL");
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  #named(name: string): Server {
    const server = this.#servers.find((candidate) => candidate.name === name);
    if (server === undefined) throw new Error(`there is no server ${name}`);
    return server;
  }

  /** Streams with three replicas are accepted only once all servers have joined the cluster. */
  async whenComplete(): Promise<void> {
    const stream = `probe-${process.pid}-${Math.random().toString(36).slice(2)}`;
    for (const end = Date.now() + START_MS_MAX; ; await delay(100)) {
      try {
        const manager = await jetstreamManager(this.#admin, { timeout: 2_000 });
        await manager.streams.add({ name: stream, subjects: [stream], num_replicas: 3 });
        await manager.streams.delete(stream);
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }
}

function startServer(config: string): ChildProcess {
  return spawn(NATS_BINARY, ["--config", config], { stdio: "ignore" });
}

async function connectRetrying(servers: string[]): Promise<NatsConnection> {
  for (const end = Date.now() + START_MS_MAX; ; await delay(50)) {
    try {
      return await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Ports that are free now; all are held until each is known, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const holders = Array.from({ length: count }, () => createServer());
  for (const holder of holders) {
    holder.listen(0, "127.0.0.1");
    await once(holder, "listening");
  }
  const ports = holders.map((holder) => (holder.address() as AddressInfo).port);
  await Promise.all(holders.map((holder) => new Promise((closed) => holder.close(closed))));
  return ports;
}
