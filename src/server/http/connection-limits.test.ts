import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { connectionLimits } from "./connection-limits.ts";

test.each([
  [Infinity, 10_000, 7_000, 1_500],
  [20_000, 10_000, 7_000, 1_500],
  [4_096, 3_584, 2_508, 537],
  [1_024, 512, 358, 76],
  [256, 128, 89, 19],
])(
  "of %d open files, %d are for connections, %d of these reactive, %d of streams",
  (files, all, reactive, streams) => {
    expect(connectionLimits(files)).toEqual({ all, reactive, streams });
  },
);

test.skipIf(process.platform === "win32")("the limit is the one that the process was given", () => {
  const module = new URL("./connection-limits.ts", import.meta.url).href;
  const program = `console.log((await import(${JSON.stringify(module)})).openFilesMax())`;
  const limited = `ulimit -n 345 && exec "$0" --input-type=module -e "$1"`;
  const printed = execFileSync("sh", ["-c", limited, process.execPath, program], {
    encoding: "utf8",
  });
  expect(printed).toBe("345\n");
});
