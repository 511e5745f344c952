/**
 * kill -9 at random moments of a real exchange under load, always on the same data directory. After
 * each: every acknowledged command is in the journal, none is there twice even though everything
 * without an answer was asked again, and the restarted exchange, from a snapshot or without one, is in
 * the state that a replay of the journal leads to. Now and then, and at the end, the whole journal is
 * verified: the ledger adds up, and every snapshot there is holds what the journal leads to.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEngine } from "#engine/engine.ts";
import { engineOptions } from "#server/exchange/engine-options.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { eventsUntil } from "#server/inspection/journal-events.ts";
import { QUICK_START } from "../support/quick-start.ts";
import { isFull } from "../support/run-counts.ts";
import { type Random, seededRandom } from "../disk/journal-disk.ts";

const KILLS = isFull ? 50 : 10;
/** A whole journal takes the longer the later it is verified; what a kill has added is read after each. */
const KILLS_PER_VERIFICATION = KILLS / 5;
/** Kills are at one of so many kinds of moments. */
const MOMENTS = 12;
const SEED = Number(process.env.CRASH_SEED ?? 20_260_101);
const hostPath = new URL("./crash-host.ts", import.meta.url).pathname;

let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-crash-"));
});

afterAll(() => rmSync(dataDir, { recursive: true }));

type Answer = "placed" | "rejected" | "repeated";

interface Heard {
  /** The sequence of the snapshot that it continued from. */
  readonly restored: number | undefined;
  readonly recovered: { sequence: number; hash: string } | undefined;
  readonly asked: readonly string[];
  readonly answers: ReadonlyMap<string, { sequence: number; answer: Answer; orderId: number }>;
  readonly errors: readonly string[];
}

/** Runs a host on the directory, kills it at a random moment and returns all that it said. */
async function runAndKill(seed: number, random: Random, again: string[]): Promise<Heard> {
  const args = [...QUICK_START, hostPath, dataDir, String(seed), again.join(",")];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // With the process that takes its snapshots, as a machine does that loses its power.
  const kill = () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  let restored: number | undefined;
  let recovered: Heard["recovered"];
  const asked: string[] = [];
  const answers = new Map<string, { sequence: number; answer: Answer; orderId: number }>();
  const errors: string[] = [];
  child.stderr.on("data", (data: Buffer) => errors.push(data.toString()));

  // The moments: at some answer, some time into the load, some time into the start, or soon after a
  // snapshot was written: a machine that is fast enough has none to start from otherwise.
  // The first waits for one, so that the others start from it, however slow the machine is.
  const isFirst = seed === 0;
  const moment = isFirst ? MOMENTS - 1 : random(MOMENTS);
  let answersLeft = moment < 4 ? 1 + random(1500) : Number.POSITIVE_INFINITY;
  if (moment === 8 || moment === 9) setTimeout(kill, random(700));
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => {
    const [word, first, second, third, fourth] = line.split(" ");
    if (word === "restored") restored = Number(first);
    else if (word === "recovered") recovered = { sequence: Number(first), hash: second };
    else if (word === "ready" && moment >= 4 && moment < 10) setTimeout(kill, random(150));
    else if (word === "snapshot" && moment >= 10) setTimeout(kill, random(30));
    else if (word === "ask") asked.push(first);
    else if (word === "ack") {
      answers.set(first, {
        sequence: Number(second),
        answer: third as Answer,
        orderId: Number(fourth),
      });
      if (--answersLeft === 0) kill();
    } else if (word === "error") errors.push(line);
  });
  const deadline = isFirst ? undefined : setTimeout(kill, 30_000);
  await Promise.all([once(child, "exit"), once(lines, "close")]);
  clearTimeout(deadline);
  if (child.signalCode !== "SIGKILL") errors.push(`ended with code ${child.exitCode}`);
  return { restored, recovered, asked, answers, errors };
}

test(`${KILLS} kills lose nothing and double nothing (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  /** Every answer ever heard about an order that was placed or refused. */
  const acknowledged = new Map<string, { sequence: number; answer: Answer; orderId: number }>();
  let unanswered: string[] = [];
  /** Follows the journal, from kill to kill. */
  const engine = createEngine(engineOptions);
  const placed = new Map<string, { sequence: number; orderId: number }>();
  const rejected = new Set<number>();
  let trades = 0;
  let repeats = 0;
  let interrupted = 0;
  let continued = 0;
  let halfWritten = 0;

  for (let kills = 0; kills < KILLS; kills++) {
    const heard = await runAndKill(kills, random, unanswered);
    expect(heard.errors).toEqual([]);
    if (heard.recovered === undefined) interrupted += 1;
    if (heard.restored !== undefined) continued += 1;
    const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
    if (files.some((name) => name.endsWith(".partial"))) halfWritten += 1;
    if (heard.recovered !== undefined && kills > 0) {
      const state = { sequence: engine.sequence, hash: engine.stateHash() };
      expect(heard.recovered, `the state after kill ${kills}`).toEqual(state);
    }

    const doubled: string[] = [];
    for await (const events of eventsUntil({ dataDir }, Number.POSITIVE_INFINITY, engine)) {
      for (const event of events) {
        if (event.type === "commandRejected") rejected.add(event.sequence);
        if (event.type === "traded") trades += 1;
        if (event.type !== "orderPlaced") continue;
        const { clientOrderId, sequence, orderId } = event;
        if (placed.has(clientOrderId)) doubled.push(clientOrderId);
        placed.set(clientOrderId, { sequence, orderId });
      }
    }
    expect(doubled).toEqual([]);
    if ((kills + 1) % KILLS_PER_VERIFICATION === 0) {
      const report = await verifyJournal({ dataDir });
      expect(report.faults).toEqual([]);
      expect(report.assets.map(({ sum }) => sum)).toEqual(report.assets.map(() => 0n));
      expect(report.stateHash).toBe(engine.stateHash());
    }

    for (const [key, answer] of heard.answers) {
      if (answer.answer === "repeated") repeats += 1;
      acknowledged.set(key, answer);
    }
    const lost: string[] = [];
    for (const [key, { sequence, answer, orderId }] of acknowledged) {
      const found = placed.get(key);
      const isThere =
        answer === "rejected"
          ? rejected.has(sequence)
          : found?.orderId === orderId && (answer === "repeated" || found.sequence === sequence);
      if (!isThere) lost.push(`${key} ${answer} ${sequence}`);
    }
    expect(lost).toEqual([]);
    const asked = new Set([...unanswered, ...heard.asked]);
    unanswered = [...asked].filter((key) => !heard.answers.has(key));
  }

  console.info(
    `${KILLS} kills, ${engine.sequence} commands, ${acknowledged.size} answers checked, ` +
      `${trades} trades, ${repeats} repeats, ${interrupted} during the start, ` +
      `${continued} starts from snapshots, ${halfWritten} snapshots half written`,
  );
  // Without these the test would have shown nothing.
  expect(acknowledged.size).toBeGreaterThan(KILLS * 20);
  expect(trades).toBeGreaterThan(100);
  expect(repeats).toBeGreaterThan(0);
  expect(continued).toBeGreaterThan(KILLS / 5);
});
