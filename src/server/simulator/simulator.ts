/**
 * The simulated market: labelled participants, declared in the catalogue, who trade through the same
 * commands as users. `prepare` opens their accounts, assigns plans and inventory, and cancels the orders of
 * those that are no longer declared; `start` lets them trade until `stop`. The same participants, seed,
 * journal position and course of time give the same decisions.
 */
import type { Logger } from "pino";
import type { DeclaredParticipant } from "#contract/catalogue.ts";
import type { Amount } from "#engine/amount.ts";
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { DEFAULT_PLAN_ID } from "#engine/markets/catalogue.ts";
import { cancelAllOrders } from "../exchange/cancel-all.ts";
import { COINS, SETTLEMENT_COIN } from "../catalogue/coins.ts";
import { SIMULATED_MARKETS, type SimulatedMarket } from "../catalogue/markets.ts";
import type { CommandOutcome, Exchange } from "../exchange/exchange.ts";
import {
  ExchangeStoppedError,
  NotLeadingError,
  OrdersStoppedError,
} from "../exchange/exchange-errors.ts";
import { type ListedMarket, ParticipantOrders } from "./participant-orders.ts";
import { type Participant, participantOf } from "./participants.ts";
import { type Random, createRandom } from "./random.ts";
import { ReferencePrices } from "./reference-prices.ts";

const STEP_MS = 100;
/** Longest time that one step simulates: after the machine has slept, the simulation does not catch up. */
const ELAPSED_MAX_MS = 1_000;
/**
 * The rate of participants' decisions while no one watches, since the journal keeps all of their commands.
 */
const UNWATCHED_PACE = 0.1;
/** Share by which the slow price average moves towards the last price per step. */
const MOMENTUM_SHARE = STEP_MS / 30_000;

interface TradedMarket {
  readonly behaviour: SimulatedMarket;
  readonly listed: ListedMarket;
  /** Average of the last prices over about half a minute, in ticks. */
  slowPriceTicks: number;
}

export function createSimulator(options: {
  readonly exchange: () => Exchange;
  readonly participants: readonly DeclaredParticipant[];
  readonly seed: number;
  /** Share of their usual rate at which participants decide; all of it by default. */
  readonly pace?: number;
  /** Exchange time in milliseconds. */
  readonly now: () => number;
  /** Whether anyone watches the markets; if not, participants decide less often. */
  readonly isWatched: () => boolean;
  readonly log: Logger;
}) {
  const { seed, pace: fullPace = 1, now, isWatched, log } = options;
  const participants = options.participants.map(participantOf);
  const orders = new ParticipantOrders();
  const underWay = new Set<Promise<unknown>>();
  const deciding = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const submit = (command: Command): Promise<CommandOutcome> => {
    const submitted = options.exchange().submit(command);
    const settled = submitted.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return submitted;
  };
  const insist = async (command: Command): Promise<void> => {
    const outcome = await submit(command);
    if (outcome.rejected === undefined) return;
    throw new Error(`the simulator's ${command.type} was refused: ${outcome.rejected}`);
  };

  /** The market if it is listed as simulated; pages label simulated markets. */
  function findSimulated({ symbol }: SimulatedMarket): ListedMarket | undefined {
    const listed = orders.markets.get(symbol);
    return listed?.definition.simulated === true ? listed : undefined;
  }

  /** The amount that the participant receives each time, of the coins of its markets. */
  function inventoryOf({ declared }: Participant): { assetId: number; amount: Amount }[] {
    const { cashValue, coinValue } = declared;
    const assets = new Map<number, Amount>();
    for (const behaviour of SIMULATED_MARKETS) {
      const listed = findSimulated(behaviour);
      if (listed === undefined || !trades(declared, behaviour.symbol)) continue;
      const { base } = listed.definition;
      assets.set(listed.baseAssetId, wholeCoins(base, coinValue / behaviour.referencePrice));
      assets.set(listed.quoteAssetId, wholeCoins(SETTLEMENT_COIN, cashValue));
    }
    return [...assets].map(([assetId, amount]) => ({ assetId, amount }));
  }

  /** Opens and funds missing accounts; may be interrupted at any point and repeated. */
  async function prepare(): Promise<void> {
    if (!SIMULATED_MARKETS.some((market) => findSimulated(market) !== undefined)) return;
    await Promise.all(
      participants
        .filter(({ userId }) => !orders.accounts.has(userId))
        .map(({ userId }) => insist({ type: "openAccount", userId, kind: "participant" })),
    );
    await cancelOrphanedOrders();
    const missing: Command[] = [];
    for (const participant of participants) {
      const account = orders.accounts.get(participant.userId);
      const { plan } = participant.declared;
      const planId = plan === undefined ? DEFAULT_PLAN_ID : orders.plans.get(plan);
      if (account === undefined) continue;
      // On an exchange without this plan, the participant keeps its present one.
      const isDue = (orders.assignedPlans.get(account) ?? DEFAULT_PLAN_ID) !== planId;
      if (isDue && planId !== undefined) missing.push({ type: "assignPlan", account, planId });
      for (const { assetId, amount } of inventoryOf(participant)) {
        if (orders.funded.has(`${account}/${assetId}`)) continue;
        missing.push({ type: "fundParticipant", account, assetId, amount });
      }
    }
    if (!orders.simulationStarted) missing.push({ type: "startSimulation", seed });
    await Promise.all(missing.map(insist));
  }

  /** Cancels orders of participants that are no longer declared, or no longer trade in the order's market. */
  async function cancelOrphanedOrders(): Promise<void> {
    const byAccount = new Map(
      participants.map(({ declared, userId }) => [orders.accounts.get(userId), declared]),
    );
    const left = orders.accountsWithOrders().flatMap((account) => {
      const declared = byAccount.get(account);
      return [...orders.markets.values()]
        .filter(({ definition, marketId }) => {
          const isTraded = declared !== undefined && trades(declared, definition.symbol);
          return !isTraded && orders.open(account, marketId).length > 0;
        })
        .map(({ marketId }) => ({ account, marketId }));
    });
    await cancelIn(left);
    if (left.length > 0)
      log.info("open orders of participants that are not declared are cancelled");
  }

  function start(): void {
    const random = createRandom(seed, `decisions from ${orders.lastSequence}`);
    const prices = new ReferencePrices(random, SIMULATED_MARKETS);
    const markets: (TradedMarket | undefined)[] = SIMULATED_MARKETS.map((behaviour, index) => {
      const listed = findSimulated(behaviour);
      if (listed === undefined) return undefined;
      // The makers' price rather than the last price, which people can set at will; unless only people
      // have traded so far.
      const priceTicks = listed.makerPriceTicks || listed.lastPriceTicks;
      if (priceTicks > 0) prices.set(index, priceTicks / 10 ** behaviour.priceDecimals);
      return { behaviour, listed, slowPriceTicks: listed.lastPriceTicks };
    });
    // Quotes first: otherwise the first takers would find empty books.
    markets.forEach((market, index) => {
      if (market === undefined) return;
      const makers = participants.filter(({ declared }) => declared.style === "marketMaker");
      for (const participant of makers.filter((maker) => tradesIn(maker, market))) {
        act(participant, market, prices.get(index), random);
      }
    });

    let lastMs = now();
    timer = setInterval(() => {
      const nowMs = now();
      const elapsedMs = Math.min(ELAPSED_MAX_MS, Math.max(0, nowMs - lastMs));
      lastMs = nowMs;
      prices.advance(elapsedMs);
      const pace = fullPace * (isWatched() ? 1 : UNWATCHED_PACE);
      markets.forEach((market, index) => {
        if (market === undefined) return;
        follow(market);
        for (const participant of participants) {
          if (!tradesIn(participant, market)) continue;
          const expected =
            (participant.decisionsPerSecond(market.behaviour) * elapsedMs * pace) / 1_000;
          if (random.uniform() >= expected) continue;
          act(participant, market, prices.get(index), random);
        }
      });
    }, STEP_MS);
  }

  function follow(market: TradedMarket): void {
    const last = market.listed.lastPriceTicks;
    if (market.slowPriceTicks === 0) market.slowPriceTicks = last;
    market.slowPriceTicks += (last - market.slowPriceTicks) * MOMENTUM_SHARE;
  }

  function act(
    participant: Participant,
    market: TradedMarket,
    referencePrice: number,
    random: Random,
  ): void {
    const account = orders.accounts.get(participant.userId);
    const { marketId, lastPriceTicks } = market.listed;
    // One decision at a time: the next one must see this one's effect.
    const turn = `${participant.userId}/${marketId}`;
    if (account === undefined || deciding.has(turn)) return;
    const commands = participant.decide(
      account,
      {
        behaviour: market.behaviour,
        listed: market.listed,
        referencePrice,
        momentum: market.slowPriceTicks > 0 ? lastPriceTicks / market.slowPriceTicks - 1 : 0,
        ownOrders: orders.open(account, marketId),
        nowMs: now(),
      },
      random,
    );
    if (commands.length === 0) return;
    deciding.add(turn);
    void Promise.all(commands.map(submit))
      .then((outcomes) => replenish(participant, account, market, commands, outcomes))
      .catch((error: unknown) => {
        // Commands are no longer accepted; the exchange has logged the reason.
        if (error instanceof ExchangeStoppedError) clearInterval(timer);
        // The node that leads now has participants of its own.
        else if (error instanceof NotLeadingError) return;
        // Participants decide again, and place orders once the exchange accepts them.
        else if (!(error instanceof OrdersStoppedError))
          log.warn({ participant: participant.userId, error: String(error) }, "simulator paused");
      })
      .finally(() => deciding.delete(turn));
  }

  /** Gives new inventory to participants that ran out of the asset they wanted to spend. */
  async function replenish(
    participant: Participant,
    account: number,
    market: TradedMarket,
    commands: readonly Command[],
    outcomes: readonly CommandOutcome[],
  ): Promise<void> {
    const short = new Set<number>();
    outcomes.forEach((outcome, index) => {
      const command = commands[index];
      if (outcome.rejected !== "insufficientAvailable" || command.type !== "placeOrder") return;
      const { baseAssetId, quoteAssetId } = market.listed;
      short.add(command.side === "buy" ? quoteAssetId : baseAssetId);
    });
    for (const { assetId, amount } of inventoryOf(participant)) {
      if (short.has(assetId)) await submit({ type: "fundParticipant", account, assetId, amount });
    }
  }

  /** Cancels all open orders of the participants, since no participant runs to manage them. */
  async function withdraw(): Promise<void> {
    const accounts = orders.accountsWithOrders();
    await cancelIn(accounts.map((account) => ({ account, marketId: 0 })));
    if (accounts.length > 0) log.info("open orders of the simulation are cancelled");
  }

  /** @param places market 0 means all markets */
  async function cancelIn(
    places: readonly { readonly account: number; readonly marketId: number }[],
  ): Promise<void> {
    const outcomes = await Promise.all(places.map((place) => cancelAllOrders({ submit }, place)));
    for (const { rejected } of outcomes) {
      if (rejected !== undefined)
        throw new Error(`orders of the simulation stay open: ${rejected}`);
    }
  }

  return {
    withdraw,
    /** Call with every event from the first on. */
    fold: (events: readonly ExchangeEvent[]) => orders.fold(events),
    /** Restores the state folded before a snapshot instead of folding earlier events. */
    restore: (state: ReturnType<ParticipantOrders["state"]>) => orders.restore(state),
    prepare,
    start,
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

function trades({ markets }: DeclaredParticipant, symbol: string): boolean {
  return markets === undefined || markets.includes(symbol);
}

function tradesIn({ declared }: Participant, { behaviour }: TradedMarket): boolean {
  return trades(declared, behaviour.symbol);
}

/** Whole coins, as units of the ledger. */
function wholeCoins(symbol: string, coins: number): Amount {
  const coin = COINS.find((candidate) => candidate.symbol === symbol);
  if (coin === undefined) throw new Error(`the catalogue has no coin ${symbol}`);
  return (Math.round(coins) * 10 ** coin.scale) as Amount;
}
