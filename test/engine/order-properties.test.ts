/**
 * What must hold for every sequence of commands of every order type: value is conserved and never
 * negative, holds are what open orders can cost, no book is crossed, each accepted order ends exactly
 * once, a refusal changes nothing, no account trades with itself or beyond its limit, of a pair one
 * order trades, and a replay and a snapshot lead to the same state. What each order type does is
 * predicted by the scripts; here nothing is.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { decodeCommand, encodeCommand } from "#engine/formats/command-codec.ts";
import type { Side } from "#engine/commands.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import { EXTERNAL_ACCOUNT, postingsOf } from "#engine/accounts/postings.ts";
import { opening, type PriceShape, type Step } from "./commands.ts";
import { START_MS, aimed, orderSteps, prelude } from "./order-commands.ts";
import { runs } from "../support/run-counts.ts";

interface Profile {
  readonly shape: PriceShape;
  readonly funds: number;
  readonly runs: number;
}

const PROFILES: Record<string, Profile> = {
  "around one touch": { shape: "tight", funds: 2 ** 36, runs: 1000 },
  "with hardly any money": { shape: "tight", funds: 60_000, runs: 400 },
  "with a touch that jumps": { shape: "drifting", funds: 2 ** 40, runs: 400 },
  "at prices of any size": { shape: "wide", funds: 2 ** 46, runs: 400 },
};

describe("every sequence of commands of every order type", () => {
  for (const [name, { shape, funds, runs: full }] of Object.entries(PROFILES)) {
    test(name, { timeout: 600_000 }, () => {
      fc.assert(
        fc.property(
          orderSteps(shape, 70),
          fc.nat({ max: 1000 }).map((share) => share / 1000),
          (all, cut) => check([...openingSteps(funds), ...all], cut),
        ),
        { numRuns: runs(full) },
      );
    });
  }
});

function openingSteps(funds: number): Step[] {
  const accounts = opening(funds, funds);
  return [...accounts.map((command) => ({ command, afterMs: 0, idempotencyKey: "" })), ...prelude];
}

function check(sequence: readonly Step[], cut: number): void {
  const witness = new Witness();
  const engine = createEngine();
  const cutAt = Math.floor(sequence.length * cut);
  let restored: Engine | undefined;
  let hash = engine.stateHash();
  const steps: Step[] = [];
  for (const [index, drawn] of sequence.entries()) {
    const step = aimed(drawn, engine);
    steps.push(step);
    const told = refusalTold(engine, step);
    const events = applyStep(engine, step);
    if (told !== undefined) strictEqual(told, refusalIn(events), "a refusal is known beforehand");
    witness.see(events, engine);
    engine.read.checkInvariants();
    const after = engine.stateHash();
    const last = events.at(-1);
    const isUnchanged = last?.type === "commandRejected" || last?.type === "requestRepeated";
    // Where something was due the command is not the only one to change the state.
    if (isUnchanged && events.length === 1) strictEqual(after, hash, "a refusal changes nothing");
    hash = after;
    if (restored !== undefined) deepStrictEqual(applyStep(restored, step), events);
    if (index === cutAt) restored = restoreEngine(engine.snapshot());
  }
  witness.compare(engine);
  strictEqual(restored?.stateHash() ?? hash, hash, "a snapshot and what follows lead here too");
  const replayed = createEngine();
  for (const step of steps) {
    const { command } = decodeCommand(encodeCommand(step.command, step.idempotencyKey));
    applyStep(replayed, { ...step, command });
  }
  strictEqual(replayed.stateHash(), hash, "a replay ends in the same state");
}

function applyStep(engine: Engine, { command, afterMs, idempotencyKey }: Step): ExchangeEvent[] {
  const buffer = new EventBuffer();
  const nowMs = Math.max(START_MS, engine.timestampMs) + afterMs;
  engine.apply(engine.sequence + 1, nowMs, idempotencyKey, command, buffer);
  return decodeEvents(buffer.take());
}

/** What the engine says of an order beforehand; undefined if something else may come before it. */
function refusalTold(engine: Engine, { command, afterMs, idempotencyKey }: Step) {
  const isNext =
    afterMs === 0 &&
    idempotencyKey === "" &&
    engine.timestampMs >= START_MS &&
    engine.nextDueMs > engine.timestampMs;
  if (!isNext || command.type !== "placeOrder") return undefined;
  return command.validUntilMs === undefined ? engine.refusalOf(command) : undefined;
}

function refusalIn(events: readonly ExchangeEvent[]): RejectReason | null {
  const last = events.at(-1);
  if (last?.type === "requestRepeated") return "duplicateClientOrderId";
  if (last?.type !== "commandRejected" || last.reason === "insufficientAvailable") return null;
  return last.reason;
}

interface Seen {
  readonly placed: EventOf<"orderPlaced">;
  priceTicks: number;
  ended: boolean;
  tradedLots: number;
}

/** Folds events as any reader would, knowing nothing of the engine's state. */
class Witness {
  readonly #orders = new Map<number, Seen>();
  readonly #pairs: (readonly number[])[] = [];
  readonly #balances = new Map<string, bigint>();
  readonly #levels = new Map<string, number>();

  see(events: readonly ExchangeEvent[], engine: Engine): void {
    ok(events.length > 0, "every command says something");
    for (const event of events) {
      for (const posting of postingsOf(event, (id) => engine.read.marketAssets(id))) {
        const { assetId, amount } = posting;
        this.#move(posting.debitAccount, assetId, posting.debitBalance, -BigInt(amount));
        this.#move(posting.creditAccount, assetId, posting.creditBalance, BigInt(amount));
      }
      this.#fold(event, events);
    }
  }

  /** What the events say is what the engine says. */
  compare(engine: Engine): void {
    const { read } = engine;
    for (let assetId = 1; assetId <= read.assetCount; assetId++) {
      for (let account = EXTERNAL_ACCOUNT; account < read.accountEnd; account++) {
        const balance = read.balance(account, assetId);
        for (const kind of ["available", "held"] as const) {
          const folded = this.#balances.get(`${account}/${assetId}/${kind}`) ?? 0n;
          strictEqual(folded, BigInt(balance[kind]), `postings of ${account}`);
        }
      }
    }
    const open = [...this.#orders.values()].filter(({ ended }) => !ended);
    const engines = [];
    for (let account = 16; account < read.accountEnd; account++) {
      engines.push(...read.openOrdersOf(account).map(({ orderId }) => orderId));
    }
    deepStrictEqual(
      open.map(({ placed }) => placed.orderId),
      engines.toSorted((a, b) => a - b),
      "what was placed and has not ended is open",
    );
    for (let marketId = 1; marketId <= read.marketCount; marketId++) {
      for (const side of ["buy", "sell"] as const) {
        const levels = read.bookLevels(marketId, side);
        const prefix = `${marketId} ${side} `;
        const folded = [...this.#levels]
          .filter(([key, lots]) => key.startsWith(prefix) && lots !== 0)
          .map(([key, lots]) => [Number(key.slice(prefix.length)), lots])
          .toSorted(([a], [b]) => (side === "buy" ? b - a : a - b));
        deepStrictEqual(
          folded,
          levels.map(({ priceTicks, quantityLots }) => [priceTicks, quantityLots]),
          "the public book is what its events say",
        );
      }
    }
    for (const pair of this.#pairs) {
      const traded = pair.filter((id) => (this.#orders.get(id)?.tradedLots ?? 0) > 0);
      ok(traded.length <= 1, `of the pair ${pair.join(", ")} one order trades`);
    }
  }

  #fold(event: ExchangeEvent, events: readonly ExchangeEvent[]): void {
    switch (event.type) {
      case "orderPlaced":
        strictEqual(this.#orders.has(event.orderId), false, "an order is placed once");
        this.#orders.set(event.orderId, {
          placed: event,
          priceTicks: event.priceTicks,
          ended: false,
          tradedLots: 0,
        });
        break;
      case "orderListPlaced": {
        const { kind, orderIds } = event;
        if (kind !== "oto") this.#pairs.push(orderIds.slice(-2));
        break;
      }
      case "orderRested": {
        const { placed } = this.#open(event.orderId);
        ok(
          placed.timeInForce === "gtc" || placed.timeInForce === "gtd",
          "an immediate never rests",
        );
        this.#add(event.marketId, event.side, event.priceTicks, event.visibleLots);
        break;
      }
      case "icebergRefilled":
        this.#add(event.marketId, event.side, event.priceTicks, event.visibleLots);
        break;
      case "orderAmended": {
        const { marketId, side, previousPriceTicks, previousVisibleLots, visibleLots } = event;
        this.#open(event.orderId).priceTicks = event.priceTicks;
        this.#add(marketId, side, previousPriceTicks, 0 - previousVisibleLots);
        this.#add(marketId, side, event.priceTicks, visibleLots);
        break;
      }
      case "waitingOrderAmended": {
        const { placed } = this.#open(event.orderId);
        const trigger = event.trigger;
        this.#orders.set(event.orderId, {
          ...this.#open(event.orderId),
          placed: trigger === undefined ? placed : { ...placed, conditions: { trigger } },
          priceTicks: event.priceTicks,
        });
        break;
      }
      case "quantityDecremented": {
        const lots = event.visibleLots - event.previousVisibleLots;
        this.#add(event.marketId, event.side, event.priceTicks, lots);
        break;
      }
      case "orderActivated":
        if (event.cause === "trigger") this.#checkTrigger(event.orderId, event.lastTicks, events);
        break;
      case "traded": {
        const { makerAccount, takerAccount, priceTicks, quantityLots, takerSide } = event;
        ok(makerAccount !== takerAccount, "no account trades with itself");
        const maker = this.#open(event.makerOrderId);
        const taker = this.#open(event.takerOrderId);
        strictEqual(maker.priceTicks, priceTicks, "a trade is at the maker's price");
        if (taker.priceTicks !== 0) {
          const isWithin =
            takerSide === "buy" ? priceTicks <= taker.priceTicks : priceTicks >= taker.priceTicks;
          ok(isWithin, "no order pays more than its limit");
        }
        maker.tradedLots += quantityLots;
        taker.tradedLots += quantityLots;
        this.#add(
          event.marketId,
          takerSide === "buy" ? "sell" : "buy",
          priceTicks,
          0 - quantityLots,
        );
        break;
      }
      case "orderEnded":
        this.#open(event.orderId).ended = true;
        if (event.status === "filled") strictEqual(event.remainingLots, 0);
        this.#add(event.marketId, event.side, event.priceTicks, 0 - event.visibleLots);
        break;
      default:
        break;
    }
  }

  /** A trade of this command, or one before, reached the trigger price. */
  #checkTrigger(orderId: number, lastTicks: number, events: readonly ExchangeEvent[]): void {
    const { placed } = this.#open(orderId);
    const trigger = placed.conditions?.trigger;
    ok(trigger !== undefined, "only an order with a trigger is triggered");
    ok(lastTicks > 0, "a market that never traded triggers nothing");
    if (trigger.kind === "trailingStop") return;
    const isAbove = (placed.side === "buy") === (trigger.kind === "stop");
    const isReached = events.some(
      (event) =>
        event.type === "traded" &&
        event.marketId === placed.marketId &&
        (isAbove
          ? event.priceTicks >= trigger.triggerTicks
          : event.priceTicks <= trigger.triggerTicks),
    );
    ok(isReached, "a trade of the command reached the trigger price");
  }

  #open(orderId: number): Seen {
    const order = this.#orders.get(orderId);
    ok(order !== undefined && !order.ended, `order ${orderId} is open`);
    return order;
  }

  #add(marketId: number, side: Side, priceTicks: number, lots: number): void {
    if (lots === 0) return;
    const key = `${marketId} ${side} ${priceTicks}`;
    const total = (this.#levels.get(key) ?? 0) + lots;
    ok(total >= 0, `the book at ${key} shows nothing below zero`);
    this.#levels.set(key, total);
  }

  #move(account: number, assetId: number, kind: string, amount: bigint): void {
    const key = `${account}/${assetId}/${kind}`;
    this.#balances.set(key, (this.#balances.get(key) ?? 0n) + amount);
  }
}
