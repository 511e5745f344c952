/**
 * Long seeded runs of the whole engine: every order type and every account command, at the speed of
 * the engine, with all invariants checked again and again. Each seed is a life of its own; now and
 * then the engine is replaced by one restored from its snapshot, and at the end the commands that
 * led there are replayed from their journal bytes.
 *
 *   npm run simulate -- --commands=100000000 --seed=1 --per-seed=1000000
 */
import { strictEqual } from "node:assert/strict";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { CommandDecoder, encodeCommand } from "#engine/command-codec.ts";
import type { Command, OrderConditions, OrderTerms, OrderTrigger } from "#engine/commands.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { coin, market, plan } from "./engine-commands.ts";

const ACCOUNTS = 60;
const FIRST_ACCOUNT = 16;
const MARKETS = 4;
const START_MS = 1_700_000_000_000;
/** Commands between two looks at all invariants. */
const CHECKED_EVERY = 2_000;
const RESTORED_EVERY = 100_000;
/** Orders remembered to aim at. */
const SEEN_MAX = 200;

export interface EnduranceResult {
  readonly commands: number;
  readonly stateHash: string;
  readonly accepted: Readonly<Record<string, number>>;
}

/** Runs one seed. @throws where an invariant is broken or a replay ends elsewhere */
export function endure(seed: number, commands: number, isReplayed: boolean): EnduranceResult {
  const random = seededRandom(seed);
  const generator = new Generator(random);
  let engine = createEngine();
  const buffer = new EventBuffer();
  const journal: { bytes: Uint8Array<ArrayBuffer>; nowMs: number }[] = [];
  const accepted: Record<string, number> = {};
  let nowMs = START_MS;
  const setting = opening();
  for (let index = 0; index < setting.length + commands; index++) {
    const command = setting[index] ?? generator.next(engine);
    if (random() < 0.02) nowMs += Math.floor(random() ** 4 * 3_600_000);
    if (isReplayed) journal.push({ bytes: encodeCommand(command, ""), nowMs });
    engine.apply(engine.sequence + 1, nowMs, "", command, buffer);
    const events = buffer.decode();
    buffer.clear();
    const last = events.at(-1);
    if (last?.type !== "commandRejected") {
      accepted[command.type] = (accepted[command.type] ?? 0) + 1;
    } else if (index < setting.length) {
      throw new Error(`the setting was refused: ${last.reason}`);
    }
    for (const event of events) {
      if (event.type === "orderPlaced") generator.sawOrder(event.orderId, event.account);
    }
    if (index % CHECKED_EVERY === 0) engine.read.checkInvariants();
    if (index % RESTORED_EVERY === RESTORED_EVERY - 1) {
      const hash = engine.stateHash();
      engine = restoreEngine(engine.snapshot());
      strictEqual(engine.stateHash(), hash, "a snapshot leads to the same state");
    }
  }
  engine.read.checkInvariants();
  const stateHash = engine.stateHash();
  if (isReplayed) strictEqual(replay(journal).stateHash(), stateHash, "so does a replay");
  return { commands, stateHash, accepted };
}

function replay(journal: readonly { bytes: Uint8Array<ArrayBuffer>; nowMs: number }[]): Engine {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const decoder = new CommandDecoder();
  for (const { bytes, nowMs } of journal) {
    const command = decoder.decode(bytes, new DataView(bytes.buffer), 0, bytes.length);
    engine.apply(engine.sequence + 1, nowMs, "", command, buffer);
    buffer.clear();
  }
  return engine;
}

/** Coins, markets of several grains, plans with several fees, accounts with money. */
function opening(): Command[] {
  const bases = ["AAA", "BBB", "CCC", "DDD"];
  const grains = [
    {},
    { lotUnits: 1, tickLotUnits: 1, notionalMin: 1 as Amount },
    { selfTradePrevention: "expireMaker", protectionBps: 1000 } as const,
    { selfTradePrevention: "decrement", lotUnits: 100, tickLotUnits: 1 } as const,
  ];
  const limits = { openOrdersMax: 100, algoOrdersMax: 40 };
  return [
    { type: "listCoin", coin: coin("USD", 6) },
    ...bases.map((symbol): Command => ({ type: "listCoin", coin: coin(symbol, 8) })),
    ...bases.map((base, index): Command => ({
      type: "listMarket",
      market: market(base, grains[index]),
    })),
    { type: "definePlan", plan: plan("free", limits) },
    { type: "definePlan", plan: plan("pro", { ...limits, makerFeeBps: 0, takerFeeBps: 1 }) },
    ...Array.from({ length: ACCOUNTS }, (_, index): Command[] => {
      const account = FIRST_ACCOUNT + index;
      return [
        { type: "openAccount", userId: `user ${index}`, kind: "participant" },
        ...[1, 2, 3, 4, 5].map((assetId): Command => ({
          type: "fundParticipant",
          account,
          assetId,
          amount: (assetId === 1 ? 2e12 : 2e10) as Amount,
        })),
      ];
    }).flat(),
  ];
}

/** Draws commands: mostly orders around a price that wanders, and changes of orders placed before. */
class Generator {
  readonly #random: () => number;
  readonly #middles = new Float64Array(MARKETS + 1).fill(1000);
  readonly #seenOrders = new Float64Array(SEEN_MAX);
  readonly #seenAccounts = new Float64Array(SEEN_MAX);
  #seenCount = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  sawOrder(orderId: number, account: number): void {
    const at = this.#seenCount++ % SEEN_MAX;
    this.#seenOrders[at] = orderId;
    this.#seenAccounts[at] = account;
  }

  next(engine: Engine): Command {
    const account = FIRST_ACCOUNT + this.#below(ACCOUNTS);
    const marketId = 1 + this.#below(MARKETS);
    const draw = this.#random();
    if (draw < 0.6) return { type: "placeOrder", account, marketId, ...this.#terms(marketId) };
    if (draw < 0.74) return { type: "cancelOrder", ...this.#target(account) };
    if (draw < 0.84) {
      const priceTicks = (this.#random() < 0.5 ? 0 : this.#price(marketId)) as Ticks;
      const quantityLots = (this.#random() < 0.3 ? 0 : this.#lots()) as Lots;
      return { type: "amendOrder", ...this.#target(account), priceTicks, quantityLots };
    }
    if (draw < 0.9) {
      const mode = this.#random() < 0.5 ? "stopOnFailure" : "allowFailure";
      const order = this.#terms(marketId);
      return { type: "replaceOrder", ...this.#target(account), mode, marketId, order };
    }
    if (draw < 0.97) return this.#list(account, marketId);
    if (draw < 0.98) return { type: "cancelAllOrders", account, marketId };
    if (draw < 0.99) {
      return { type: "setCancelTimer", account, marketId: 0, delayMs: this.#below(100_000) };
    }
    if (draw < 0.995) return { type: "assignPlan", account, planId: 1 + this.#below(2) };
    const nowhere = engine.sequence % 2 === 0 ? 99 : 1;
    if (draw < 0.998) return { type: "cancelAllOrders", account, marketId: nowhere };
    return { type: "advanceTime" };
  }

  /** An order that was placed not long ago, under its owner's name or, now and then, another's. */
  #target(account: number): { account: number; orderId: number } {
    const count = Math.min(this.#seenCount, SEEN_MAX);
    if (count === 0) return { account, orderId: 1 };
    const at = this.#below(count);
    const owner = this.#random() < 0.05 ? account : this.#seenAccounts[at];
    return { account: owner, orderId: this.#seenOrders[at] };
  }

  #terms(marketId: number): OrderTerms {
    const side = this.#random() < 0.5 ? "buy" : "sell";
    const none = { quoteAmount: 0 as Amount, clientOrderId: "" };
    const conditions = this.#random() < 0.3 ? this.#conditions(marketId) : undefined;
    if (this.#random() < 0.12) {
      const isByTotal = this.#random() < 0.4;
      return {
        ...none,
        side,
        orderType: "market",
        timeInForce: "ioc",
        postOnly: false,
        priceTicks: 0 as Ticks,
        quantityLots: (isByTotal ? 0 : this.#lots()) as Lots,
        quoteAmount: (isByTotal ? this.#lots() * 20_000 : 0) as Amount,
        ...(conditions === undefined ? {} : { conditions: { trigger: conditions.trigger } }),
      };
    }
    const kind = this.#random();
    const isGtd = conditions?.expiresAtMs !== undefined;
    const timeInForce = isGtd ? "gtd" : kind < 0.8 ? "gtc" : kind < 0.93 ? "ioc" : "fok";
    return {
      ...none,
      side,
      orderType: "limit",
      timeInForce,
      postOnly: this.#random() < 0.1,
      priceTicks: this.#price(marketId),
      quantityLots: this.#lots(),
      ...(conditions === undefined ? {} : { conditions }),
    };
  }

  #conditions(marketId: number): OrderConditions {
    const modes = ["expireTaker", "expireMaker", "expireBoth", "decrement"] as const;
    const draw = this.#random();
    return {
      ...(this.#random() < 0.5 ? { selfTradePrevention: modes[this.#below(4)] } : {}),
      ...(draw < 0.25 ? { displayLots: (1 + this.#below(20)) as Lots } : {}),
      ...(draw > 0.8 ? { expiresAtMs: START_MS + this.#below(1e9) } : {}),
      ...(draw > 0.3 && draw < 0.7 ? { trigger: this.#trigger(marketId) } : {}),
    };
  }

  #trigger(marketId: number): OrderTrigger {
    const draw = this.#random();
    if (draw < 0.3) return { kind: "trailingStop", trailBps: 1 + this.#below(300) };
    return { kind: draw < 0.7 ? "stop" : "takeProfit", triggerTicks: this.#price(marketId) };
  }

  #list(account: number, marketId: number): Command {
    const side = this.#random() < 0.5 ? "buy" : "sell";
    const other = side === "buy" ? "sell" : "buy";
    const limit = (whose: typeof side, lots: number): OrderTerms => ({
      side: whose,
      orderType: "limit",
      timeInForce: "gtc",
      postOnly: false,
      priceTicks: this.#price(marketId),
      quantityLots: lots as Lots,
      quoteAmount: 0 as Amount,
      clientOrderId: "",
    });
    const lots = this.#lots();
    const pending = this.#random() < 0.5 ? 0 : lots;
    const stop = (whose: typeof side, size: number): OrderTerms => ({
      ...limit(whose, size),
      conditions: { trigger: this.#trigger(marketId) },
    });
    const draw = this.#random();
    const [kind, orders] =
      draw < 0.4
        ? (["oco", [limit(side, lots), stop(side, lots)]] as const)
        : draw < 0.7
          ? (["oto", [limit(side, lots), limit(other, pending)]] as const)
          : (["otoco", [limit(side, lots), limit(other, pending), stop(other, pending)]] as const);
    return { type: "placeOrderList", account, marketId, kind, orders };
  }

  #price(marketId: number): Ticks {
    const step = (this.#random() - 0.5) * 2;
    this.#middles[marketId] = Math.max(50, this.#middles[marketId] + step);
    const away = (this.#random() - 0.5) * this.#random() * 60;
    return Math.max(1, Math.round(this.#middles[marketId] + away)) as Ticks;
  }

  #lots(): Lots {
    return (1 + this.#below(this.#random() < 0.1 ? 500 : 40)) as Lots;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
}
