/**
 * A reporter of vitest that says what each file of tests costs: seconds of processor time of the tests and
 * of every process that they start, browsers and servers included. Seconds by the clock mean nothing on a
 * machine that does other things as well. Linux only, and with one worker: what several do at a time cannot be
 * told apart.
 *
 *     npx vitest run --maxWorkers=1 --reporter=default --reporter=./scripts/processor-time-reporter.ts
 *
 * The table is written to the file PROCESSOR_TIMES as well, if that is set, after every file of tests.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** The kernel counts in these, in seconds. */
const TICK_S = 0.01;
/** Shorter ones are not measured alone. */
const TEST_MS_MIN = 150;
const TESTS_SHOWN = 150;

interface Cost {
  readonly name: string;
  readonly seconds: number;
}

export default class ProcessorTimeReporter implements Reporter {
  #atFile = 0;
  #atTest = 0;
  readonly #files: Cost[] = [];
  readonly #tests: Cost[] = [];

  onTestRunStart(): void {
    this.#atFile = secondsOfTree(process.pid);
    this.#atTest = this.#atFile;
  }

  onTestModuleCollected(): void {
    this.#atTest = secondsOfTree(process.pid);
  }

  onTestCaseResult(test: TestCase): void {
    if ((test.diagnostic()?.duration ?? 0) < TEST_MS_MIN) return;
    const now = secondsOfTree(process.pid);
    this.#tests.push({
      name: `${fileOf(test.module)}: ${test.fullName}`,
      seconds: now - this.#atTest,
    });
    this.#atTest = now;
  }

  onTestModuleEnd(module: TestModule): void {
    const now = secondsOfTree(process.pid);
    this.#files.push({ name: fileOf(module), seconds: now - this.#atFile });
    this.#atFile = now;
    const { PROCESSOR_TIMES } = process.env;
    if (PROCESSOR_TIMES !== undefined) writeFileSync(PROCESSOR_TIMES, this.#table());
  }

  onTestRunEnd(): void {
    process.stdout.write(`\n${this.#table()}`);
  }

  #table(): string {
    const total = this.#files.reduce((sum, { seconds }) => sum + seconds, 0);
    return [
      "Seconds of processor time by file:",
      ...ranked(this.#files),
      `${total.toFixed(1).padStart(8)} all`,
      "\nThe most expensive tests:",
      ...ranked(this.#tests).slice(0, TESTS_SHOWN),
      "",
    ].join("\n");
  }
}

function ranked(costs: readonly Cost[]): string[] {
  return costs
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} ${name}`);
}

function fileOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}

/** What a process, its children, and those of them that have ended, have used so far, in seconds. */
function secondsOfTree(root: number): number {
  const children = new Map<number, number[]>();
  const ticksOf = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat === undefined) continue;
    const pid = Number(name);
    ticksOf.set(pid, stat.ticks);
    const siblings = children.get(stat.parent);
    if (siblings === undefined) children.set(stat.parent, [pid]);
    else siblings.push(pid);
  }
  let ticks = 0;
  const found = [root];
  for (const pid of found) {
    ticks += ticksOf.get(pid) ?? 0;
    found.push(...(children.get(pid) ?? []));
  }
  return ticks * TICK_S;
}

/** @returns undefined if the process has since ended */
function statOf(pid: string): { readonly parent: number; readonly ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), ticks: user + system + childrenUser + childrenSystem };
  } catch {
    return undefined;
  }
}
