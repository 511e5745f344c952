/**
 * An exchange on a disk of its own that fills up, and that cannot be written: real file systems of the kernel, where
 * this user may mount them.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askExchange } from "#server/control/control-socket.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";
import { GOOD_ORDER } from "../hostile-input/bad-input-orders.ts";
import { isFull } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

const COMMANDS_MAX = 3_000;

let disk: string;
let DATA_DIR: string;
let isMounted = false;
let server: RunningServer | undefined;
beforeAll(() => {
  disk = mkdtempSync(join(tmpdir(), "openbell-disk-"));
  DATA_DIR = join(disk, "data");
  isMounted = run("mount", "-t", "tmpfs", "-o", "size=64m,mode=0700", "openbell", disk);
});
afterAll(async () => {
  await server?.remove();
  if (isMounted) run("umount", disk);
  rmSync(disk, { recursive: true, force: true });
});

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

/** The exchange may take the last blocks first. */
function fill(path: string): void {
  for (const chunk of [1_048_576, 4_096]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(chunk));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
}

async function healthOf(url: string) {
  const answer = await fetch(`${url}/api/health`);
  return { status: answer.status, body: (await answer.json()) as { status: string } };
}

test("a disk that cannot be written refuses the start with a sentence, and changes nothing", async (context) => {
  if (!isMounted) {
    context.skip("no file system can be mounted here");
    return;
  }
  const settings = { SIMULATION: "off", AUTH_RATE_LIMIT: "off", COMPRESS_JOURNAL: "off" };
  server = await startServerProcess({ ...settings, DATA_DIR, DISK_FREE_ORDERS_MIN_MB: "0" });
  await server.stop();
  const before = server.output().length;
  expect(run("mount", "-o", "remount,ro", disk)).toBe(true);
  await expect(server.restart()).rejects.toThrow(/ended with 1/);
  const said = server.output().slice(before);
  expect(said).toContain(`The data directory ${DATA_DIR} cannot be written.`);
  expect(said).not.toMatch(/ at .*\.ts:\d/);
  expect(run("mount", "-o", "remount,rw", disk)).toBe(true);
  await server.restart();
  expect((await healthOf(server.url)).status).toBe(200);
});

test.runIf(isFull)(
  "a full disk stops the exchange, which says so, and what it acknowledged is there once there is space",
  async (context) => {
    if (server === undefined) {
      context.skip("no file system can be mounted here");
      return;
    }
    const { url } = server;
    const { token } = await signUp(url, "Ada");
    await call(url, "mutation", "accounts:takePracticeFunds", {}, token);
    const placed: string[] = [];
    const place = async () => {
      const answer = await call(url, "mutation", "orders:place", GOOD_ORDER, token);
      const { order } = (answer.value ?? {}) as { order?: { orderId: string } };
      if (order !== undefined) placed.push(order.orderId);
      return answer;
    };
    await place();

    const filler = join(disk, "filler");
    fill(filler);
    // What the newest segment of the journal has room for is still accepted.
    let answer = await place();
    for (let turn = 0; answer.status === "success" && turn < COMMANDS_MAX; turn += 1) {
      const fields = { description: `${turn} ${"x".repeat(4_000)}` };
      const change = { name: "BTC", fields, isConfirmed: true, reason: "to fill the disk" };
      await askExchange(DATA_DIR, "/coins/change", JSON.stringify(change)).catch(() => undefined);
      if (turn % 20 === 0) answer = await place();
    }
    expect(answer).toMatchObject({ httpStatus: 503 });
    await expect
      .poll(() => healthOf(url))
      .toMatchObject({ status: 503, body: { status: "stopped" } });
    expect(JSON.stringify((await healthOf(url)).body)).toContain("the disk is full");
    expect(server.output()).toContain("no space left on device");

    await server.kill();
    await expect(server.restart()).rejects.toThrow(`${DATA_DIR} is on is full. Free some space`);
    rmSync(filler);
    await server.restart();
    const open = await call(url, "query", "orders:open", {}, token);
    const found = (open.value as { orderId: string }[]).map(({ orderId }) => orderId);
    expect(found.sort()).toEqual(placed.sort());
    expect((await place()).status).toBe("success");
  },
);
