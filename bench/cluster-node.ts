/**
 * A node of `bench/cluster-starts.ts` in its own process: the exchange with the read models of the program,
 * without database and pages. Answers its parent's requests.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type ClusterExchange, openCluster } from "#server/cluster/open-cluster.ts";
import { createReadModels, READ_MODELS_VERSION } from "#server/read-models.ts";
import { READ_MODELS } from "./recovery-journal.ts";

export type NodeRequest =
  | { readonly kind: "open"; readonly dataDir: string; readonly journal: string }
  | { readonly kind: "stateHash" }
  /** Submits commands that change nothing until a snapshot was shared with the other nodes. */
  | { readonly kind: "share" }
  | { readonly kind: "close" };

/** One start, from the beginning of the process until the node was ready. */
export interface NodeStart {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of the snapshot of another node; 0 if none was fetched. */
  readonly snapshotSequence: number;
  readonly eventsFolded: number;
  readonly memoryMb: number;
  readonly sequence: number;
}

/** After that many commands a snapshot is taken and shared. */
const SNAPSHOT_EVERY = 1_000;
const POLL_MS = 5;

let exchange: ClusterExchange | undefined;
let snapshotSequence = 0;
let eventsFolded = 0;
let isShared = false;
const note = (fields: object, message: string): void => {
  if (message === "fetched a snapshot of another node") {
    snapshotSequence = (fields as { sequence: number }).sequence;
  } else if (message.startsWith("shared the snapshot")) isShared = true;
};
const complain = (fields: object, message: string): void => {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
};

process.on("message", (asked: NodeRequest) => {
  answer(asked).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once("disconnect", () => process.exit(0));

async function answer(asked: NodeRequest): Promise<object> {
  if (asked.kind === "open") return open(asked.dataDir, asked.journal);
  if (exchange === undefined) throw new Error("the node was not opened");
  switch (asked.kind) {
    case "stateHash":
      return exchange.stateHash();
    case "share":
      return share(exchange);
    case "close":
      await exchange.close();
      return {};
    default:
      throw new Error(`nothing does ${String(asked satisfies never)}`);
  }
}

async function open(dataDir: string, journal: string): Promise<NodeStart> {
  const readModels = createReadModels();
  exchange = await openCluster({
    dataDir,
    journal,
    onEvents(events) {
      eventsFolded += events.length;
      readModels.fold(events);
    },
    acceptsClock: true,
    sharedEvery: SNAPSHOT_EVERY,
    snapshots: {
      readModelsModule: READ_MODELS,
      readModelsVersion: READ_MODELS_VERSION,
      everyCommands: SNAPSHOT_EVERY,
      restore: (state) => readModels.restore(state),
    },
    log: { info: note, warn: complain, error: complain },
  });
  while (!exchange.isReady()) await delay(POLL_MS);
  const { user, system } = process.cpuUsage();
  return {
    wallMs: performance.now(),
    cpuMs: (user + system) / 1_000,
    snapshotSequence,
    eventsFolded,
    memoryMb: process.memoryUsage.rss() / 1_048_576,
    sequence: exchange.health().sequence,
  };
}

async function share(of: ClusterExchange): Promise<object> {
  isShared = false;
  while (!isShared) {
    await Promise.all(
      Array.from({ length: SNAPSHOT_EVERY }, () => of.submit({ type: "advanceTime" })),
    );
    await delay(1_000);
  }
  return {};
}
