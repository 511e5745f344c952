/**
 * The simulator's read model, folded from all events: the participants' accounts and open orders,
 * the markets, and each market's latest prices.
 */
import type { MarketDefinition, Side } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";

export interface ParticipantOrder {
  readonly orderId: number;
  readonly marketId: number;
  readonly side: Side;
  readonly priceTicks: number;
  readonly restedAtMs: number;
}

export interface ListedMarket {
  readonly marketId: number;
  definition: MarketDefinition;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  /** 0 before the first trade. */
  lastPriceTicks: number;
  /**
   * Price of the latest trade with a participant's resting order. Never far from the reference
   * price of that time, regardless of trades between other users. 0 before the first such trade.
   */
  makerPriceTicks: number;
}

export class ParticipantOrders {
  /** Account numbers of participants, by user id. */
  accounts = new Map<string, number>();
  markets = new Map<string, ListedMarket>();
  /** Accounts and assets that have been funded at least once, as `account/assetId`. */
  funded = new Set<string>();
  plans = new Map<string, number>();
  assignedPlans = new Map<number, number>();
  simulationStarted = false;
  lastSequence = 0;
  readonly #marketsById = new Map<number, ListedMarket>();
  /** Open orders by account, then order id. */
  #orders = new Map<number, Map<number, ParticipantOrder>>();

  /** The account's open orders in a market, oldest first. */
  open(account: number, marketId: number): ParticipantOrder[] {
    const orders = this.#orders.get(account);
    if (orders === undefined) return [];
    return [...orders.values()].filter((order) => order.marketId === marketId);
  }

  /** Accounts of participants with open orders. */
  accountsWithOrders(): number[] {
    return [...this.#orders].filter(([, orders]) => orders.size > 0).map(([account]) => account);
  }

  /** The folded state as plain data, for `restore`. */
  state() {
    return {
      accounts: this.accounts,
      markets: this.markets,
      funded: this.funded,
      plans: this.plans,
      assignedPlans: this.assignedPlans,
      simulationStarted: this.simulationStarted,
      lastSequence: this.lastSequence,
      orders: this.#orders,
    };
  }

  restore(state: ReturnType<ParticipantOrders["state"]>): void {
    const { orders, ...known } = state;
    Object.assign(this, known);
    this.#orders = orders;
    for (const market of this.markets.values()) this.#marketsById.set(market.marketId, market);
  }

  fold(events: readonly ExchangeEvent[]): void {
    for (const event of events) this.#foldOne(event);
  }

  #foldOne(event: ExchangeEvent): void {
    this.lastSequence = event.sequence;
    switch (event.type) {
      case "accountOpened":
        if (event.kind !== "participant") break;
        this.accounts.set(event.userId, event.account);
        this.#orders.set(event.account, new Map());
        break;
      case "marketListed": {
        const { marketId, market: definition, baseAssetId, quoteAssetId } = event;
        const listed = {
          marketId,
          definition,
          baseAssetId,
          quoteAssetId,
          lastPriceTicks: 0,
          makerPriceTicks: 0,
        };
        this.markets.set(definition.symbol, listed);
        this.#marketsById.set(marketId, listed);
        break;
      }
      case "marketUpdated": {
        const market = this.#marketsById.get(event.marketId);
        if (market !== undefined) market.definition = event.market;
        break;
      }
      case "planDefined":
        this.plans.set(event.plan.slug, event.planId);
        break;
      case "planAssigned":
        this.assignedPlans.set(event.account, event.planId);
        break;
      case "participantFunded":
        this.funded.add(`${event.account}/${event.assetId}`);
        break;
      case "simulationStarted":
        this.simulationStarted = true;
        break;
      case "traded": {
        const market = this.#marketsById.get(event.marketId);
        if (market === undefined) break;
        market.lastPriceTicks = event.priceTicks;
        if (this.#orders.has(event.makerAccount)) market.makerPriceTicks = event.priceTicks;
        break;
      }
      case "orderRested":
        this.#orders.get(event.account)?.set(event.orderId, {
          orderId: event.orderId,
          marketId: event.marketId,
          side: event.side,
          priceTicks: event.priceTicks,
          restedAtMs: event.timestampMs,
        });
        break;
      case "orderEnded":
        this.#orders.get(event.account)?.delete(event.orderId);
        break;
      default:
        break;
    }
  }
}
