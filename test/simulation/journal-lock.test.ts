/** One data directory, one process: with real processes and a real kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DirectoryLockedError, lockDirectory } from "#journal/directory-lock.ts";

let directory: string;
let children: ChildProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "openbell-lock-"));
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map(kill));
  rmSync(directory, { recursive: true });
});

const holderPath = new URL("./journal-lock-holder.ts", import.meta.url).pathname;

/** Starts a process that tries to take the directory; resolves with its first line. */
async function startHolder(): Promise<{ child: ChildProcess; answer: string }> {
  const child = spawn(process.execPath, [holderPath, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [answer] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, answer };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("a second process is refused and told who holds the directory", async () => {
  const holder = await startHolder();
  expect(holder.answer).toBe("locked");
  const second = await startHolder();
  expect(second.answer).toContain(`in use by the process with pid ${holder.child.pid}`);
  expect(() => lockDirectory(directory)).toThrow(DirectoryLockedError);
});

test("the lock of a killed process is free at once", async () => {
  for (let round = 0; round < 3; round++) {
    const { child, answer } = await startHolder();
    expect(answer).toBe("locked");
    await kill(child);
  }
  lockDirectory(directory).release();
});

test("of processes that start together exactly one gets the directory", async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, startHolder));
  expect(answers.filter(({ answer }) => answer === "locked")).toHaveLength(1);
});

test("one process cannot take the directory twice, and can again after releasing it", () => {
  const lock = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(`in use by this process (pid ${process.pid})`);
  lock.release();
  lock.release();
  lockDirectory(directory).release();
});
