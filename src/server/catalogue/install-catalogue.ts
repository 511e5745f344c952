/**
 * Lists the coins, markets and plans of a catalogue on a new exchange, adds missing fields to plans
 * and markets of earlier versions of the default catalogue, and sets the engine's limit of work and
 * the balance limit of accounts. May be interrupted at any point and run again: existing and
 * redefined entries are left unchanged.
 */
import { AMOUNT_MAX, type Amount } from "#engine/amount.ts";
import type {
  AdoptRules,
  Command,
  LimitBalances,
  LimitWork,
  MarketDefinition,
  PlanDefinition,
} from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { COINS } from "./coins.ts";
import type { DeclaredCatalogue } from "./declared-catalogue.ts";
import { SIMULATED_MARKETS, marketDefinition } from "./markets.ts";
import { PLANS } from "./plans.ts";

/** Takes a fraction of a millisecond in a book of a million orders (docs/performance.md). */
const WORK_LIMIT: LimitWork = {
  type: "limitWork",
  ordersMax: 128,
  levelsMax: 4096,
  marketsInParts: true,
};

/**
 * The largest exact amount, so that the supply of a coin has no limit of its own
 * (docs/decisions/023).
 */
const BALANCE_LIMIT: LimitBalances = { type: "limitBalances", unitsMax: AMOUNT_MAX as Amount };

/** The newest rules of trading (docs/decisions/055 and 060). */
const RULES = {
  type: "adoptRules",
  spentOrdersStop: true,
  pendingTakePlaces: true,
} satisfies AdoptRules;

interface Listed<Definition> {
  readonly id: number;
  readonly definition: Definition;
  readonly isUpdated: boolean;
}

interface ListedMarket extends Listed<MarketDefinition> {
  /** Whether the market has or ever had price limits, which an operator may have removed. */
  readonly hasHadLimits: boolean;
}

/** `balanceLimit` is absent if there is no limit, as in older states. */
export type ListedCatalogueState = Pick<
  ListedCatalogue,
  "coins" | "markets" | "plans" | "workLimit" | "rules"
> & {
  readonly balanceLimit?: Amount;
};

/** The listed entries by symbol or slug, folded from all events from the first on. */
export class ListedCatalogue {
  coins = new Set<string>();
  markets = new Map<string, ListedMarket>();
  plans = new Map<string, Listed<PlanDefinition>>();
  /** The engine's limit of work; undefined if there is none. */
  workLimit: Omit<LimitWork, "type"> | undefined;

  /** The rules of trading that were adopted; undefined if none. */
  rules: Omit<AdoptRules, "type"> | undefined;

  /** The balance limit of an account; undefined if there is none. */
  balanceLimit: Amount | undefined;

  state(): ListedCatalogueState {
    const { balanceLimit, coins, markets, plans, rules, workLimit } = this;
    const known = { coins, markets, plans, rules, workLimit };
    return balanceLimit === undefined ? known : { ...known, balanceLimit };
  }

  restore(state: ListedCatalogueState): void {
    Object.assign(this, state);
  }

  fold(events: readonly ExchangeEvent[]): void {
    for (const event of events) this.#foldOne(event);
  }

  #foldOne(event: ExchangeEvent): void {
    switch (event.type) {
      case "coinListed":
        this.coins.add(event.coin.symbol);
        break;
      case "marketListed":
      case "marketUpdated": {
        const { marketId: id, market: definition } = event;
        const isUpdated = event.type === "marketUpdated";
        const { priceBandBps, breaker } = definition;
        const hasHadLimits =
          priceBandBps !== undefined ||
          breaker !== undefined ||
          this.markets.get(definition.symbol)?.hasHadLimits === true;
        this.markets.set(definition.symbol, { id, definition, isUpdated, hasHadLimits });
        break;
      }
      case "planDefined":
      case "planUpdated": {
        const { planId: id, plan: definition } = event;
        const isUpdated = event.type === "planUpdated";
        this.plans.set(definition.slug, { id, definition, isUpdated });
        break;
      }
      case "workLimited":
        this.workLimit = event;
        break;
      case "rulesAdopted":
        this.rules = {
          spentOrdersStop: event.spentOrdersStop,
          pendingTakePlaces: event.pendingTakePlaces,
        };
        break;
      case "balancesLimited":
        this.balanceLimit = event.unitsMax;
        break;
      default:
        break;
    }
  }
}

/** @throws Error if the engine refuses a definition, which is a mistake in the catalogue */
export async function installCatalogue(
  exchange: Exchange,
  listed: ListedCatalogue,
  catalogue: DeclaredCatalogue,
): Promise<void> {
  const commands: Command[] = [
    ...(listed.workLimit === undefined ? missing(listed, catalogue) : []),
    ...completions(listed),
    ...(listed.workLimit?.ordersMax === WORK_LIMIT.ordersMax &&
    listed.workLimit.levelsMax === WORK_LIMIT.levelsMax &&
    listed.workLimit.marketsInParts === WORK_LIMIT.marketsInParts
      ? []
      : [WORK_LIMIT]),
    ...(listed.balanceLimit === BALANCE_LIMIT.unitsMax ? [] : [BALANCE_LIMIT]),
    ...(listed.rules?.spentOrdersStop === RULES.spentOrdersStop &&
    listed.rules.pendingTakePlaces === RULES.pendingTakePlaces
      ? []
      : [RULES]),
  ];
  const outcomes = await Promise.all(commands.map((command) => exchange.submit(command)));
  outcomes.forEach((outcome, index) => {
    if (outcome.rejected === undefined) return;
    throw new Error(`the catalogue's ${commands[index].type} was refused: ${outcome.rejected}`);
  });
}

/**
 * The commands that complete an interrupted installation, whose last command sets the limit of
 * work. After that, only an operator lists entries, so an exchange with another catalogue keeps its
 * own.
 */
function missing(listed: ListedCatalogue, { coins, markets, plans }: DeclaredCatalogue): Command[] {
  // In this order, because plans and markets refer to coins, and a new account gets the first plan.
  return [
    ...coins
      .filter(({ symbol }) => !listed.coins.has(symbol))
      .map((coin): Command => ({ type: "listCoin", coin })),
    ...plans
      .filter(({ slug }) => !listed.plans.has(slug))
      .map((plan): Command => ({ type: "definePlan", plan })),
    ...markets
      .filter(({ symbol }) => !listed.markets.has(symbol))
      .map((market): Command => ({ type: "listMarket", market })),
  ];
}

/** Commands that add the fields missing from plans and markets of earlier default catalogues. */
function completions(listed: ListedCatalogue): Command[] {
  // A catalogue that an operator has declared is left as it is.
  if (!isOfDefault(listed)) return [];
  return [
    ...PLANS.flatMap((plan) => planCommands(plan, listed.plans.get(plan.slug))),
    ...SIMULATED_MARKETS.flatMap((market) => {
      const known = listed.markets.get(market.symbol);
      return known === undefined
        ? []
        : marketCommands(marketDefinition(market, known.definition.simulated), known);
    }),
  ];
}

function isOfDefault({ coins, markets, plans }: ListedCatalogue): boolean {
  const isKnown = (listed: Iterable<string>, known: readonly string[]) =>
    [...listed].every((name) => known.includes(name));
  return (
    isKnown(
      coins,
      COINS.map(({ symbol }) => symbol),
    ) &&
    isKnown(
      plans.keys(),
      PLANS.map(({ slug }) => slug),
    ) &&
    isKnown(
      markets.keys(),
      SIMULATED_MARKETS.map(({ symbol }) => symbol),
    )
  );
}

function planCommands(plan: PlanDefinition, listed: Listed<PlanDefinition> | undefined): Command[] {
  if (listed === undefined) return [];
  // Plans of an early journal have no currency, so that no volume counts and nothing can be bought.
  if (listed.isUpdated || listed.definition.currency !== undefined) return [];
  const completed = { ...plan, ...listed.definition };
  return [{ type: "updatePlan", planId: listed.id, plan: completed }];
}

function marketCommands(market: MarketDefinition, listed: ListedMarket): Command[] {
  // Markets of an early journal have no largest notional and no price limits.
  const { definition, hasHadLimits, id: marketId, isUpdated } = listed;
  if (hasHadLimits) return [];
  const { priceBandBps, passiveBandBps, breaker, referenceTicks } = market;
  const limits = { priceBandBps, passiveBandBps, breaker, referenceTicks };
  const completed = { ...(isUpdated ? limits : market), ...definition };
  return [{ type: "updateMarket", marketId, market: completed }];
}
