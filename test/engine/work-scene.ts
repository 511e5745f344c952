/**
 * A small exchange with a limit of work, for tests of what one command does and what the next commands
 * continue.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, LimitWork, OrderConditions, PlaceOrder, Side } from "#engine/commands.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { coin, market, plan } from "./commands.ts";

export const NOW_MS = 1_700_000_000_000;
/** The first of three accounts with ample funds. */
export const ANN = 16;
export const BOB = 17;
export const CAT = 18;
export const WIDE: LimitWork = { type: "limitWork", ordersMax: 1000, levelsMax: 1000 };
const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount };

export class Scene {
  engine: Engine = createEngine();
  nowMs = NOW_MS;

  /**
   * @param limits limits of work to set, one after another: a number of orders, or any fields of the
   * command
   */
  constructor(...limits: readonly (number | Partial<LimitWork>)[]) {
    const setting: Command[] = [
      { type: "listCoin", coin: coin("USD", 2) },
      { type: "listCoin", coin: coin("BTC", 2) },
      { type: "listCoin", coin: coin("ETH", 2) },
      { type: "listMarket", market: market("BTC", terms) },
      { type: "listMarket", market: market("ETH", terms) },
      { type: "definePlan", plan: plan("free") },
      ...[ANN, BOB, CAT].flatMap((account): Command[] => [
        { type: "openAccount", userId: `user ${account}`, kind: "participant" },
        { type: "fundParticipant", account, assetId: 1, amount: 100_000 as Amount },
        { type: "fundParticipant", account, assetId: 2, amount: 100_000 as Amount },
      ]),
      ...limits.map((limit): Command => ({
        ...WIDE,
        ...(typeof limit === "number" ? { ordersMax: limit } : limit),
      })),
    ];
    for (const command of setting) this.apply(command);
  }

  apply(command: Command, key = ""): ExchangeEvent[] {
    const events = new EventBuffer();
    this.engine.apply(this.engine.sequence + 1, this.nowMs, key, command, events);
    this.engine.read.checkInvariants();
    return events.decode();
  }

  /** The same exchange, restored from its snapshot. */
  restored(): Scene {
    const scene = new Scene();
    scene.engine = restoreEngine(this.engine.snapshot());
    scene.nowMs = this.nowMs;
    return scene;
  }

  openOf(account: number): number[] {
    return this.engine.read.openOrdersOf(account).map(({ orderId }) => orderId);
  }
}

export function order(
  account: number,
  side: Side,
  priceTicks: number,
  conditions?: OrderConditions,
) {
  return {
    type: "placeOrder",
    account,
    marketId: 1,
    side,
    orderType: "limit",
    timeInForce: conditions?.expiresAtMs === undefined ? "gtc" : "gtd",
    postOnly: false,
    priceTicks: priceTicks as Ticks,
    quantityLots: 1 as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    conditions,
  } satisfies PlaceOrder;
}

export const ADVANCE: Command = { type: "advanceTime" };
export const CANCEL_ALL = { type: "cancelAllOrders", account: ANN, marketId: 0 } as const;
export const endedIn = (events: readonly ExchangeEvent[]) =>
  events.flatMap((event) => (event.type === "orderEnded" ? [event.orderId] : []));
export const activatedIn = (events: readonly ExchangeEvent[]) =>
  events.flatMap((event) => (event.type === "orderActivated" ? [event.orderId] : []));
export const typesOf = (events: readonly ExchangeEvent[]) => events.map(({ type }) => type);
