import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const hasChrt = spawnSync("chrt", ["--version"]).status === 0;

/** Nicety and scheduling policy of each of the threads, as /proc has them. */
const source = `
  import { readdirSync, readFileSync } from "node:fs";
  const { giveWay } = await import(${JSON.stringify(new URL("./process-priority.ts", import.meta.url).href)});
  giveWay();
  const threads = readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync("/proc/self/task/" + thread + "/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { nicety: Number(fields[16]), policy: Number(fields[38]) };
  });
  console.log(JSON.stringify(threads));
`;
/** SCHED_IDLE in the Linux kernel's include/uapi/linux/sched.h. */
const IDLE = 5;

test.runIf(process.platform === "linux")(
  "a process gives way to all others with all its threads",
  () => {
    const child = spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
      encoding: "utf8",
    });
    expect(child.stderr).toBe("");
    const threads = JSON.parse(child.stdout) as { nicety: number; policy: number }[];
    expect(threads.length).toBeGreaterThan(1);
    for (const { nicety, policy } of threads) {
      expect(nicety).toBe(19);
      if (hasChrt) expect(policy).toBe(IDLE);
    }
  },
);
