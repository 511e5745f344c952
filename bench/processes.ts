/**
 * Pins processes to processor cores and reads their usage. A measured server that shares its core with
 * its attacker shows the attacker's load rather than its own. Only Linux is supported: elsewhere nothing
 * is pinned or read.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, cpus, setPriority } from "node:os";

/** The unit in which /proc counts processor time. */
const TICKS_PER_SECOND = 100;
/** Priority steps: a process with this advantage gets nine tenths of a contended core. */
const BEHIND_BY = 10;

/** Whether there is one core for the server and another for everything else. */
export const canPin = process.platform === "linux" && cpus().length >= 2;

/** Pins a process and its future children to one core. */
export function pinTo(core: number, pid: number): void {
  if (canPin) execFileSync("taskset", ["-a", "-p", "-c", String(core), String(pid)]);
}

/**
 * Lets a process that leads its own session (`detached`) run only when no other one wants its core: with a
 * lower priority alone, one that wakes up may wait for the rest of its slice, some milliseconds.
 */
export function putBehind(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  if (process.platform !== "linux") return;
  execFileSync("chrt", ["--all-tasks", "--idle", "--pid", "0", String(pid)]);
  // Linux divides a core between sessions first, then within each.
  const [, own] = /nice (-?\d+)/.exec(textOf(`/proc/${process.pid}/autogroup`)) ?? [];
  if (own === undefined) return;
  writeFileSync(`/proc/${pid}/autogroup`, String(Math.min(19, Number(own) + BEHIND_BY)));
}

export interface ProcessorTime {
  readonly mainThreadSeconds: number;
  /** Sum over all threads. */
  readonly seconds: number;
}

/** A process's usage since its start. */
export function processorTimeOf(pid: number): ProcessorTime {
  if (process.platform !== "linux") return { mainThreadSeconds: Number.NaN, seconds: Number.NaN };
  return {
    mainThreadSeconds: secondsIn(`/proc/${pid}/task/${pid}/stat`),
    seconds: secondsIn(`/proc/${pid}/stat`),
  };
}

export interface WaitedSeconds {
  readonly mainThread: number;
  /** Sum over all threads. */
  readonly all: number;
}

/** How long a process's threads have been runnable without running, since their start. */
export function waitedSecondsOf(pid: number): WaitedSeconds {
  if (process.platform !== "linux") return { mainThread: Number.NaN, all: Number.NaN };
  const readWaitedSeconds = (thread: string | number) => {
    const [, nanoseconds] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
    return Number(nanoseconds ?? 0) / 1e9;
  };
  const threads = readdirSync(`/proc/${pid}/task`);
  return {
    mainThread: readWaitedSeconds(pid),
    all: threads.reduce((sum, thread) => sum + readWaitedSeconds(thread), 0),
  };
}

export interface Usage {
  readonly atMs: number;
  readonly time: ProcessorTime;
  readonly waited: WaitedSeconds;
}

/** What a process has used and waited for until now. */
export function usageOf(pid: number): Usage {
  return { atMs: performance.now(), time: processorTimeOf(pid), waited: waitedSecondsOf(pid) };
}

/** Processor and waiting times between two readings, in percent of one core. */
export function usageBetween(from: Usage, to: Usage): string {
  const percent = (of: (usage: Usage) => number) =>
    `${((100_000 * (of(to) - of(from))) / (to.atMs - from.atMs)).toFixed(0)} %`;
  return (
    `its main thread ${percent(({ time }) => time.mainThreadSeconds)} of a core, waited for it ` +
    `${percent(({ waited }) => waited.mainThread)}; all its threads ${percent(({ time }) => time.seconds)}, ` +
    `waited ${percent(({ waited }) => waited.all)}`
  );
}

function secondsIn(file: string): number {
  // The program's name, in brackets, may contain spaces; user and system time are fields 14 and 15.
  const fields = readFileSync(file, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** A file's text; empty if it does not exist. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
