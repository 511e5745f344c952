/**
 * Which processor core a process runs on, and what it takes of it. A measured server that shares its
 * core with what attacks it tells of the attacker's hunger rather than of the server. Elsewhere than
 * on Linux nothing is pinned and nothing is known of what processes take.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants, cpus, setPriority } from "node:os";

/** In which /proc counts a process's time. */
const TICKS_PER_SECOND = 100;
/** Steps of priority: one that is ahead by so many gets nine tenths of a core that both want. */
const BEHIND_BY = 10;

/** Whether there is a core for the server and another one for the rest. */
export const canPin = process.platform === "linux" && cpus().length >= 2;

/** Puts a process and what it starts from now on onto one core. */
export function pinTo(core: number, pid: number): void {
  if (canPin) execFileSync("taskset", ["-a", "-p", "-c", String(core), String(pid)]);
}

/** Puts a process that leads a session of its own (`detached`) behind this one on its core. */
export function putBehind(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  // Linux shares a core between sessions before it does within each.
  const [, own] = /nice (-?\d+)/.exec(textOf(`/proc/${process.pid}/autogroup`)) ?? [];
  if (own === undefined) return;
  writeFileSync(`/proc/${pid}/autogroup`, String(Math.min(19, Number(own) + BEHIND_BY)));
}

export interface ProcessorTime {
  readonly mainThreadSeconds: number;
  /** All threads together. */
  readonly seconds: number;
}

/** What a process has taken since its start. */
export function processorTimeOf(pid: number): ProcessorTime {
  if (process.platform !== "linux") return { mainThreadSeconds: Number.NaN, seconds: Number.NaN };
  return {
    mainThreadSeconds: secondsIn(`/proc/${pid}/task/${pid}/stat`),
    seconds: secondsIn(`/proc/${pid}/stat`),
  };
}

function secondsIn(file: string): number {
  // The name of the program, in brackets, may hold spaces; user and system time are fields 14 and 15.
  const fields = readFileSync(file, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Empty if there is no such file. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
