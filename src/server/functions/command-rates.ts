/**
 * Limits the rate of users' commands, by plan and over all interfaces, before a command reaches the
 * journal. Placing and cancelling have separate allowances, so that a user who has used up the
 * first can still leave the market. Allowances are kept in memory only: after a restart every user
 * has the full allowance. Several nodes tell each other how much was used (shared-limits.ts).
 */
import type { Command, PlanDefinition } from "#engine/commands.ts";
import { defaultPlanLimits, type PlanLimits } from "../catalogue/plans.ts";
import type { SharedLimits, SharedRate } from "../limits/shared-limits.ts";
import { type RateLimit, TokenBucket } from "../limits/token-bucket.ts";
import type { Views } from "../views/views.ts";
import { FunctionError } from "./function-error.ts";

const TEN_SECONDS_MS = 10_000;
const DAY_MS = 86_400_000;
/**
 * Cancellations allowed per order that may be placed in the same time, for ten seconds as for a
 * day.
 */
const CANCELS_PER_ORDER = 5;
/** The limit of choosing plans, taking practice funds and administrators' commands. */
const OTHER_COMMANDS: NamedLimit = {
  capacity: 60,
  windowMs: 60_000,
  what: "such requests a minute",
};

interface NamedLimit extends RateLimit {
  /** The noun for the counted commands, for the sentence of a refusal. */
  readonly what: string;
}

/** The limits of a plan, with its name. */
type NamedLimits = PlanLimits & { readonly name: string };

/** The kinds as which commands are counted. */
type Counted = "orders" | "cancels" | "other";

/** One bucket for ten seconds and one for a day. */
interface Buckets {
  readonly tenSeconds: TokenBucket;
  readonly day: TokenBucket;
}

interface Allowance {
  readonly orders: Buckets;
  readonly cancels: Buckets;
  readonly other: TokenBucket;
  usedAtMs: number;
}

/** A bucket that a command is taken from. */
interface Charged {
  readonly bucket: TokenBucket;
  readonly limit: NamedLimit;
  /** The source of the limit, for the sentence of a refusal. */
  readonly limitedBy: string;
}

/** How much of an allowance of orders is used; it refills evenly. */
export interface OrderCount {
  readonly limit: number;
  readonly used: number;
}

export interface OrderCounts {
  readonly inTenSeconds: OrderCount;
  readonly inDay: OrderCount;
}

export class CommandRates {
  readonly #views: Pick<Views, "accounts" | "catalogue">;
  readonly #nowMs: () => number;
  /** The limits of a plan, by its slug. */
  readonly limitsOf: (slug: string) => PlanLimits;
  /** The results of `limitsOf` for each plan: they are needed several times per request of a program. */
  readonly #limitsOfPlans = new WeakMap<PlanDefinition, NamedLimits>();
  /** By user, least recently used first. */
  readonly #allowances = new Map<string, Allowance>();
  /** Undefined if there are no other nodes. */
  readonly #shared: Readonly<Record<Counted, SharedRate>> | undefined;

  /** @param options.nowMs a monotonic clock */
  constructor(
    views: Pick<Views, "accounts" | "catalogue">,
    options: {
      readonly limitsOf?: (slug: string) => PlanLimits;
      readonly nowMs?: () => number;
      /** Undefined if there are no other nodes. */
      readonly shared?: SharedLimits | undefined;
    } = {},
  ) {
    this.#views = views;
    this.limitsOf = options.limitsOf ?? defaultPlanLimits;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    const { shared } = options;
    this.#shared = shared && {
      orders: shared.rate("orders", (userId, count) => this.#charge(userId, "orders", count)),
      cancels: shared.rate("cancels", (userId, count) => this.#charge(userId, "cancels", count)),
      other: shared.rate("otherCommands", (userId, count) => this.#charge(userId, "other", count)),
    };
  }

  /**
   * Charges the command against the user's allowance.
   * @throws FunctionError tooManyRequests with the time to wait, in which case nothing is charged
   */
  admit(userId: string, command: Command): void {
    const nowMs = this.#nowMs();
    const placed = ordersPlacedBy(command);
    const counted = placed === undefined ? "other" : placed === 0 ? "cancels" : "orders";
    // Cancellations that find no order are in the journal too, and are charged.
    const count = Math.max(placed ?? 1, 1);
    const charged = this.#bucketsOf(userId, counted, nowMs);
    for (const each of charged) {
      const waitMs = each.bucket.waitMs(each.limit, count, nowMs);
      if (waitMs > 0) throw tooFast(each, waitMs);
    }
    for (const { bucket, limit } of charged) bucket.take(limit, count, nowMs);
    this.#shared?.[counted].use(userId, count, charged[0].limit.capacity);
  }

  /** How much of their plan's order allowances the user has used. */
  ordersOf(userId: string): OrderCounts {
    const nowMs = this.#nowMs();
    const { ordersPerDay, ordersPerTenSeconds } = this.limitsOfUser(userId);
    const orders = this.#allowances.get(userId)?.orders;
    const count = (bucket: TokenBucket | undefined, limit: number, windowMs: number) => ({
      limit,
      used: bucket?.used({ capacity: limit, windowMs }, nowMs) ?? 0,
    });
    return {
      inTenSeconds: count(orders?.tenSeconds, ordersPerTenSeconds, TEN_SECONDS_MS),
      inDay: count(orders?.day, ordersPerDay, DAY_MS),
    };
  }

  /** Charges the user's use on another node. */
  #charge(userId: string, counted: Counted, count: number): void {
    // A node that begins with a new exchange may receive reports of use before it has the catalogue.
    if (this.#views.catalogue.plans().length === 0) return;
    const nowMs = this.#nowMs();
    for (const { bucket, limit } of this.#bucketsOf(userId, counted, nowMs)) {
      bucket.charge(limit, count, nowMs);
    }
  }

  /** The buckets of such commands, that of the shortest time first. */
  #bucketsOf(userId: string, counted: Counted, nowMs: number): Charged[] {
    const allowance = this.#allowanceOf(userId, nowMs);
    if (counted === "other") {
      return [{ bucket: allowance.other, limit: OTHER_COMMANDS, limitedBy: "the exchange" }];
    }
    const { name, ordersPerTenSeconds, ordersPerDay } = this.limitsOfUser(userId);
    const [what, times] =
      counted === "cancels" ? ["cancellations", CANCELS_PER_ORDER] : ["orders", 1];
    const { tenSeconds, day } = allowance[counted];
    const charged = (bucket: TokenBucket, allowed: number, windowMs: number, period: string) => {
      const limit = { capacity: allowed * times, windowMs, what: `${what} ${period}` };
      return { bucket, limit, limitedBy: `your plan (${name})` };
    };
    return [
      charged(tenSeconds, ordersPerTenSeconds, TEN_SECONDS_MS, "in 10 seconds"),
      charged(day, ordersPerDay, DAY_MS, "a day"),
    ];
  }

  /** The limits and name of the user's plan. */
  limitsOfUser(userId: string): NamedLimits {
    const account = this.#views.accounts.ofUser(userId);
    const { catalogue } = this.#views;
    const plan = account === undefined ? catalogue.plans()[0] : catalogue.plan(account.planId);
    const { definition } = plan;
    let limits = this.#limitsOfPlans.get(definition);
    if (limits === undefined) {
      const { slug, name } = definition;
      limits = { name, ...this.limitsOf(slug) };
      this.#limitsOfPlans.set(definition, limits);
    }
    return limits;
  }

  #allowanceOf(userId: string, nowMs: number): Allowance {
    const allowance = this.#allowances.get(userId) ?? newAllowance();
    allowance.usedAtMs = nowMs;
    this.#allowances.delete(userId);
    this.#allowances.set(userId, allowance);
    // After a day, every bucket is full, like a new one.
    for (const [oldest, { usedAtMs }] of this.#allowances) {
      if (nowMs - usedAtMs < DAY_MS) break;
      this.#allowances.delete(oldest);
    }
    return allowance;
  }
}

/**
 * The number of orders that a command places or changes; 0 if it only cancels, undefined for any
 * other command.
 */
function ordersPlacedBy(command: Command): number | undefined {
  switch (command.type) {
    case "placeOrder":
    case "amendOrder":
    case "replaceOrder":
      return 1;
    case "placeOrderList":
      return command.orders.length;
    case "cancelOrder":
    case "cancelAllOrders":
    case "setCancelTimer":
      return 0;
    default:
      return undefined;
  }
}

function newAllowance(): Allowance {
  return {
    orders: { tenSeconds: new TokenBucket(), day: new TokenBucket() },
    cancels: { tenSeconds: new TokenBucket(), day: new TokenBucket() },
    other: new TokenBucket(),
    usedAtMs: 0,
  };
}

function tooFast({ limitedBy, limit }: Charged, retryAfterMs: number): FunctionError {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const wait = seconds === 1 ? "a second" : `${formatCount(seconds)} seconds`;
  const allowed = `${limitedBy} allows ${formatCount(limit.capacity)} ${limit.what}`;
  const message = `Too many requests: ${allowed}. Try again in ${wait}.`;
  return new FunctionError({ code: "tooManyRequests", message, retryAfterMs });
}

/** Created once, or it would take most of the time in a flood of refusals. */
const COUNTS = new Intl.NumberFormat("en-US");

function formatCount(count: number): string {
  return COUNTS.format(count);
}
