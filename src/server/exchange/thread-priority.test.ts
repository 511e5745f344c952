import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

/** The priorities of this process's threads whose name begins so. */
function prioritiesOf(name: string): number[] {
  return readdirSync("/proc/self/task").flatMap((thread) => {
    const stat = readFileSync(join("/proc/self/task", thread, "stat"), "utf8");
    const nameEnd = stat.lastIndexOf(")");
    if (!stat.slice(stat.indexOf("(") + 1, nameEnd).startsWith(name)) return [];
    return [Number(stat.slice(nameEnd + 2).split(" ")[16])];
  });
}

test.runIf(process.platform === "linux")(
  "a thread gives way to all others, its helpers to those that somebody waits for",
  async () => {
    const before = getPriority(process.pid);
    const module = new URL("./thread-priority.ts", import.meta.url).href;
    const source = `
      const { parentPort } = require("node:worker_threads");
      import(${JSON.stringify(module)}).then(({ giveWay }) => {
        giveWay();
        parentPort.postMessage("done");
        parentPort.once("message", () => undefined);
      });
    `;
    const worker = new Worker(source, { eval: true, name: "gives-way" });
    await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    expect(prioritiesOf("gives-way")).toEqual([19]);
    const helpers = prioritiesOf("node-V8Worker");
    expect(helpers.length).toBeGreaterThan(0);
    expect(new Set(helpers)).toEqual(new Set([Math.min(19, before + 10)]));
    expect(getPriority(process.pid)).toBe(before);
    await worker.terminate();
  },
);
