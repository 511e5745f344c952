/** One data directory, one process: with real processes and a real kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
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

test("removing the lock file lets no second process in", async () => {
  const holder = await startHolder();
  expect(holder.answer).toBe("locked");
  rmSync(join(directory, "lock"));
  const second = await startHolder();
  expect(second.answer).toContain(`in use by the process with pid ${holder.child.pid}`);
});

test("the holder of a removed lock file takes the new one", () => {
  const lock = lockDirectory(directory);
  const lost: Error[] = [];
  lock.onLost((error) => lost.push(error));
  rmSync(join(directory, "lock"));
  lock.check();
  expect(() => new DatabaseSync(join(directory, "lock")).exec("BEGIN EXCLUSIVE")).toThrow("locked");
  expect(lost).toEqual([]);
  lock.release();
  new DatabaseSync(join(directory, "lock")).exec("BEGIN EXCLUSIVE");
});

test("the holder is told when another process holds the new lock file", () => {
  const lock = lockDirectory(directory);
  const lost: Error[] = [];
  lock.onLost((error) => lost.push(error));
  rmSync(join(directory, "lock"));
  // As a process does that does not see this one's socket, such as one in another container.
  const other = new DatabaseSync(join(directory, "lock"));
  other.exec("BEGIN EXCLUSIVE");
  lock.check();
  lock.check();
  expect(lost.map(({ message }) => message)).toEqual([
    expect.stringContaining("the lock of the data directory was removed"),
  ]);
  other.close();
  lock.release();
});

test("a lock file that is none is named, with what to do", () => {
  writeFileSync(join(directory, "lock"), "A".repeat(5000));
  expect(() => lockDirectory(directory)).toThrow(
    `The file ${join(directory, "lock")} cannot be locked: file is not a database. If no exchange runs`,
  );
  rmSync(join(directory, "lock"));
  lockDirectory(directory).release();
});
