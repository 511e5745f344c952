/** The program in README.md runs as it is printed there. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { api, openClient, until, watch } from "#test/support/reactive-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

test("another product's three functions are served in under 40 lines", async () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const [, program = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  expect(program.trim().split("\n").length).toBeLessThan(40);
  const client = openClient(await run(program));
  closers.push(() => client.close());
  const notes = watch(client, api.notes.list);
  await until(() => notes.seen.length === 1);
  expect(await client.mutation(api.notes.add, { text: "one" })).toBe(1);
  expect(notes.seen).toEqual([[], ["one"]]);
  expect(await client.action(api.notes.count, {})).toBe(1);
  await expect(client.mutation(api.notes.remove, {})).rejects.toThrow("There is no such function.");
});

/** @returns the server's address */
async function run(program: string): Promise<string> {
  // Inside the package, whose imports it uses.
  mkdirSync(".build", { recursive: true });
  const directory = mkdtempSync(join(".build", "readme-"));
  closers.push(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "program.ts");
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { env: { ...process.env, PORT: "0" } });
  closers.push(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((open, failed) => {
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const port = /port: (\d+)/.exec(printed)?.[1];
      if (port !== undefined) open(`http://127.0.0.1:${port}`);
    });
    child.once("exit", () => failed(new Error(`the program ended: ${printed}`)));
  });
}
