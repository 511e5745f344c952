import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forkInBackground } from "./fork-in-background.ts";

const hasChrt = spawnSync("chrt", ["--version"]).status === 0;

/** Tells what /proc has of it as soon as its code is loaded. */
const SOURCE = `
  import { readdirSync, readFileSync } from "node:fs";
  const threads = readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync("/proc/self/task/" + thread + "/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { nicety: Number(fields[16]), policy: Number(fields[38]) };
  });
  const outOfMemoryScore = Number(readFileSync("/proc/self/oom_score_adj", "utf8"));
  process.send({ threads, outOfMemoryScore, execArgv: process.execArgv });
  process.disconnect();
`;
/** SCHED_IDLE in the Linux kernel's include/uapi/linux/sched.h. */
const IDLE = 5;

interface Told {
  readonly threads: readonly { nicety: number; policy: number }[];
  readonly outOfMemoryScore: number;
  readonly execArgv: readonly string[];
}

test.runIf(process.platform === "linux")(
  "a process in the background is behind all others with all its threads, and first to go",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "openbell-background-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const program = join(directory, "told of 'itself'.mjs");
    writeFileSync(program, SOURCE);
    const child = forkInBackground(program, { execArgv: ["--single-threaded"] });
    const [told] = (await once(child, "message")) as [Told];
    expect(told.execArgv).toEqual(["--single-threaded"]);
    expect(told.outOfMemoryScore).toBe(1000);
    expect(told.threads.length).toBeGreaterThan(1);
    for (const { nicety, policy } of told.threads) {
      expect(nicety).toBe(19);
      if (hasChrt) expect(policy).toBe(IDLE);
    }
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);
