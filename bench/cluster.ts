/**
 * `node bench/from-compiled.ts cluster.ts`: several nodes on NATS JetStream with three replicas, three
 * nats-server processes on loopback, and PostgreSQL. The parts, of which each runs alone with `--parts`:
 *
 * - `throughput`: bytes per second that the thread of a leading node brings into the stream, beside a bare
 *   publisher of the same batches, which publishes one after another to the same stream. Goal: 0.8 x.
 * - `answers`: commands of the official client on a node that follows, at a steady rate. Goal: p50 8 ms,
 *   p99 40 ms at 1 000 a second.
 * - `start`: how long a new node takes from a shared snapshot, and from the journal alone. Goal: 15 s after
 *   ten million commands.
 * - `pages`: what live pages cost on one and on two nodes. Goal: 1.7 x the pages. Needs `npm run build`.
 *
 *   --parts=throughput,answers,start,pages
 *   --rounds=7 --commands=1000000 (throughput: of each round; start: of the journal)
 *   --rate=1000 --users=50 --seconds=30 (answers; pages: of each measurement)
 *   --suffix=500000 --starts=3 (start: commands after the snapshot, and how often a node starts)
 *   --pages=100 --orders-per-second=10 (pages: of each node that has pages)
 *   --seed=1 --directory=/tmp (where nodes keep their data)
 *
 * PostgreSQL is that of DATABASE_URL_TEST, in a database that is dropped at the end; nats-server that of
 * NATS_SERVER. All processes share the machine's cores: with much waiting, times mean little.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NatsCluster, natsVersion } from "#test/support/nats-cluster.ts";
import { measureAnswers } from "./cluster-answers.ts";
import { measurePages } from "./cluster-pages.ts";
import { measureStarts } from "./cluster-starts.ts";
import { measureThroughput } from "./cluster-throughput.ts";

const { values: options } = parseArgs({
  options: {
    parts: { type: "string", default: "throughput,answers,start,pages" },
    rounds: { type: "string", default: "7" },
    commands: { type: "string", default: "1000000" },
    rate: { type: "string", default: "1000" },
    users: { type: "string", default: "50" },
    seconds: { type: "string", default: "30" },
    suffix: { type: "string", default: "500000" },
    starts: { type: "string", default: "3" },
    pages: { type: "string", default: "100" },
    "orders-per-second": { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    directory: { type: "string", default: tmpdir() },
  },
});
const { parts, directory, ...numbers } = options;
const { commands, pages, rate, rounds, seconds, seed, starts, suffix, users } = Object.fromEntries(
  Object.entries(numbers).map(([name, value]) => [name, Number(value)]),
);
// As with `npm start`, processes use a compile cache.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../dist/.compiled", import.meta.url));

const print = (line = "") => process.stdout.write(`${line}\n`);
print(
  `machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
);
print(`versions  node ${process.version}, ${natsVersion()}, three replicas, default sync_interval`);
print(`workload  ${JSON.stringify(options)}`);
print(`load      ${loadavg()[0]?.toFixed(1)} before the start`);

const folder = await mkdtemp(join(directory, "openbell-bench-"));
const servers = await NatsCluster.start();
const scene = { folder, servers, print };
try {
  for (const part of parts.split(",")) {
    print();
    switch (part) {
      case "throughput":
        await measureThroughput(scene, { rounds, commands, seed });
        break;
      case "answers":
        await measureAnswers(scene, { rate, users, seconds });
        break;
      case "start":
        await measureStarts(scene, { commands, suffix, starts, seed });
        break;
      case "pages":
        await measurePages(scene, {
          pages,
          seconds,
          ordersPerSecond: Number(options["orders-per-second"]),
        });
        break;
      default:
        throw new Error(`there is no part ${part}`);
    }
    print(`  load ${loadavg()[0]?.toFixed(1)} at the end`);
  }
} finally {
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
}
