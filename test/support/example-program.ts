/** A program of `examples/bots`, run as its readers run it: as a process with settings in its environment. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface ExampleProgram {
  /** All output so far. */
  output(): string;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code when the program ends by itself. */
  readonly ended: Promise<number | null>;
}

const running = new Set<ChildProcess>();

/** Kills the programs that a failed test left running. */
export function endExamplePrograms(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** @param name file name without extension */
export function startExample(
  name: string,
  settings: Readonly<Record<string, string>>,
): ExampleProgram {
  const child = spawn(process.execPath, [`examples/bots/${name}.js`], {
    env: { ...process.env, NODE_OPTIONS: undefined, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString("utf8")));
  }
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    output: () => printed,
    ended,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
