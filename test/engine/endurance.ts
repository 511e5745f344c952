/**
 * Long seeded runs of the complete engine: every command, order type and market state, at full speed,
 * with regular checks of the invariants. Each seed is an independent run.
 *
 * After every command: that no due timer is left, and every few commands that the next asset's balances
 * sum to zero; the ledger itself asserts that each movement of money preserves the sum of the balances
 * it changes. For one command in ten its events are folded into balances, which must equal the ledger's,
 * account by account. At intervals: all invariants of `checkInvariants`; that a refusal left the state
 * hash unchanged; that restoring a snapshot gives the same state, from which the run continues. At the
 * end, optionally, the commands are replayed from their journal bytes.
 */
import { strictEqual } from "node:assert/strict";
import { CommandDecoder, encodeCommand } from "#engine/formats/command-codec.ts";
import type { Command, OrderTerms } from "#engine/commands.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { postingsOf } from "#engine/accounts/postings.ts";
import type { StateReader } from "#engine/state-reader.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { CommandSource, PLENTY, enduranceOpening, type Drawn } from "./endurance-commands.ts";
import { Coverage } from "./endurance-coverage.ts";

const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;
/** Number of commands between two checks of all invariants. */
const CHECKED_EVERY = 4_000;
const SUMMED_EVERY = 16;
const HASHED_EVERY = 10_000;
const RESTORED_EVERY = 100_000;
/** The first WATCHED commands of this many are folded event by event. */
const WATCH_ROUND = 8_192;
const WATCHED = 768;
/** The most event-buffer rows of a cheap outcome, such as any refusal. */
const ONE_ROW_MAX = 5;

export interface EnduranceOptions {
  readonly seed: number;
  readonly commands: number;
  /** Whether the commands are replayed from their journal bytes at the end. */
  readonly isReplayed?: boolean;
  /** Called with every command before it is applied. */
  readonly record?: (drawn: Drawn, nowMs: number) => void;
  /**
   * An additional check of the events of each command.
   * @throws if it fails
   */
  readonly check?: (events: readonly ExchangeEvent[]) => void;
}

export interface EnduranceResult {
  readonly stateHash: string;
  readonly coverage: Coverage;
}

interface Recorded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly nowMs: number;
}

/**
 * Runs one seed.
 * @throws if an invariant is violated or the replay ends in another state
 */
export function endure(options: EnduranceOptions): EnduranceResult {
  const { seed, commands, isReplayed = false, record, check } = options;
  const random = seededRandom(seed);
  const source = new CommandSource(random);
  const coverage = new Coverage();
  const buffer = new EventBuffer();
  const journal: Recorded[] = [];
  const opening = enduranceOpening();
  let engine = createEngine();
  let watch: Watch | undefined;
  let nextOrderId = 1;
  let nowMs = START_MS;
  for (let index = 0; index < opening.length + commands; index++) {
    const isOpening = index < opening.length;
    const drawn = isOpening
      ? { command: opening[index], idempotencyKey: "" }
      : source.next(engine, nowMs);
    const { command, idempotencyKey } = drawn;
    if (!isOpening) nowMs += passingMs(random);
    record?.(drawn, nowMs);
    if (isReplayed) journal.push({ bytes: encodeCommand(command, idempotencyKey), nowMs });
    const hash = index % HASHED_EVERY === 0 ? engine.stateHash() : undefined;

    // Due timers add rows of their own, even before a refusal.
    const hasDue = engine.nextDueMs <= nowMs;
    const wasLimited = isWorkLimited(engine);
    engine.apply(engine.sequence + 1, nowMs, idempotencyKey, command, buffer);
    const round = index % WATCH_ROUND;
    if (round === 0) watch = new Watch(engine.read);
    const isOneRow = buffer.length <= ONE_ROW_MAX;
    const isWatched = round < WATCHED || isOpening || check !== undefined;
    const isLooked = isOneRow || hasDue || isWatched;
    const events = isLooked ? buffer.decode() : [];
    buffer.clear();
    for (const event of events) coverage.look(event);
    if (round > 0 && round < WATCHED) watch?.fold(events, engine.read);
    if (round === WATCHED) watch = undefined;
    check?.(events);
    const last = events.at(-1)?.type;
    const isRefused = last === "commandRejected";
    if (isOpening) strictEqual(isRefused, false, "the opening is accepted");
    if (!isRefused && last !== "requestRepeated") {
      coverage.accepted(command);
      const account = "account" in command ? command.account : 0;
      if (command.type === "placeOrder") {
        if (mayStay(command)) source.sawOrder(nextOrderId, account);
        nextOrderId++;
      } else {
        for (const terms of ordersOf(command)) {
          if (mayStay(terms)) source.sawOrder(nextOrderId, account);
          nextOrderId++;
        }
      }
    }
    // Closing a market in parts may have advanced past accounts without orders, which changes the state.
    if (hash !== undefined && isRefused && isOneRow && !hasDue) {
      strictEqual(engine.stateHash(), hash, "a refused command changes nothing");
    }
    checkCheaply(engine, nowMs, wasLimited);
    if (index % CHECKED_EVERY === 0) engine.read.checkInvariants();
    if (index % RESTORED_EVERY === RESTORED_EVERY - 1) {
      const before = engine.stateHash();
      engine = restoreEngine(engine.snapshot());
      strictEqual(engine.stateHash(), before, "a snapshot leads to the same state");
    }
  }
  engine.read.checkInvariants();
  const stateHash = engine.stateHash();
  if (isReplayed) strictEqual(replay(journal).stateHash(), stateHash, "so does a replay");
  return { stateHash, coverage };
}

/** Whether the limit of work in force before a command allows due work to remain after it. */
export function isWorkLimited({ read }: Engine): boolean {
  return read.ordersPerCommandMax < PLENTY || read.marketsInParts;
}

/**
 * The inexpensive checks.
 * @throws if one fails
 */
export function checkCheaply(
  { nextDueMs, read, sequence }: Engine,
  nowMs: number,
  wasLimited: boolean,
): void {
  if (nextDueMs <= nowMs && !wasLimited) throw new Error("something due was left behind");
  if (sequence % SUMMED_EVERY !== 0 || read.assetCount === 0) return;
  const assetId = 1 + ((sequence / SUMMED_EVERY) % read.assetCount);
  if (read.assetSum(assetId) !== 0n) throw new Error(`asset ${assetId} does not sum to zero`);
}

/** The orders that a command places if accepted, in the order of their ids. */
function ordersOf(command: Command): readonly OrderTerms[] {
  if (command.type === "replaceOrder") return [command.order];
  return command.type === "placeOrderList" ? command.orders : NO_ORDERS;
}
const NO_ORDERS: readonly OrderTerms[] = [];

function mayStay({ timeInForce }: OrderTerms): boolean {
  return timeInForce === "gtc" || timeInForce === "gtd";
}

/** Usually none, sometimes up to an hour, rarely weeks. */
function passingMs(random: () => number): number {
  if (random() >= 0.02) return 0;
  if (random() < 0.004) return Math.floor(random() * 40 * DAY_MS);
  return Math.floor(random() ** 4 * 3_600_000);
}

function replay(journal: readonly Recorded[]): Engine {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const decoder = new CommandDecoder();
  for (const { bytes, nowMs } of journal) {
    const command = decoder.decode(bytes, new DataView(bytes.buffer), 0, bytes.length);
    engine.apply(engine.sequence + 1, nowMs, decoder.idempotencyKey, command, buffer);
    buffer.clear();
  }
  return engine;
}

/** Folds events into balances from a starting point, and compares them with the ledger's. */
export class Watch {
  readonly #balances = new Map<string, bigint>();

  constructor(read: StateReader) {
    for (let account = 1; account < read.accountEnd; account++) {
      for (let assetId = 1; assetId <= read.assetCount; assetId++) {
        const { available, held } = read.exactBalance(account, assetId);
        this.#balances.set(`${account}/${assetId}/available`, available);
        this.#balances.set(`${account}/${assetId}/held`, held);
      }
    }
  }

  /**
   * Folds the events of one command.
   * @throws if the resulting balances differ from the ledger's
   */
  fold(events: readonly ExchangeEvent[], read: StateReader): void {
    const touched = new Map<string, readonly [number, number, "available" | "held"]>();
    const move = (account: number, asset: number, kind: "available" | "held", amount: number) => {
      const key = `${account}/${asset}/${kind}`;
      this.#balances.set(key, (this.#balances.get(key) ?? 0n) + BigInt(amount));
      touched.set(key, [account, asset, kind]);
    };
    for (const event of events) {
      for (const posting of postingsOf(event, (marketId) => read.marketAssets(marketId))) {
        const { amount, assetId } = posting;
        move(posting.debitAccount, assetId, posting.debitBalance, 0 - amount);
        move(posting.creditAccount, assetId, posting.creditBalance, amount);
      }
    }
    for (const [key, [account, asset, kind]] of touched) {
      strictEqual(
        read.exactBalance(account, asset)[kind],
        this.#balances.get(key),
        `postings of ${key}`,
      );
    }
  }
}
