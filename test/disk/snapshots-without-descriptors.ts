/**
 * Takes a snapshot in a process that has no file descriptor left, and prints what the log says of it;
 * run with a low `ulimit -n`.
 */
import { openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { EventBuffer } from "#engine/event-buffer.ts";
import { Snapshots } from "#server/exchange/snapshots/snapshots.ts";

try {
  for (;;) openSync("/dev/null", "r");
} catch {
  // None is left.
}

const warned: unknown[] = [];
const snapshots = new Snapshots({
  journal: "/nowhere",
  location: { directory: "/nowhere", program: "this one", formats: "these" },
  readModelsModule: undefined,
  everyCommands: 1,
  busyShareMax: 1,
  usableSequence: () => Infinity,
  log: {
    info: () => undefined,
    warn: (fields) => void warned.push(fields),
    error: () => undefined,
  },
  onDifference: () => undefined,
});
const buffer = new EventBuffer();
buffer.begin(1, 1);
buffer.commandRejected("unknownOrder");
snapshots.beginAt(0);
snapshots.open();
snapshots.take(1, buffer.take());
while (warned.length === 0) await delay(10);
await delay(50);
process.stdout.write(JSON.stringify(warned));
