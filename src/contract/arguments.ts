/**
 * Arguments shared by several public functions. Every text is bounded, and unknown keys are
 * refused. For the server and for types: pages do not load this file.
 */
import { z } from "zod";
import { API_KEY_NAME_LENGTH_MAX, API_KEY_PERMISSIONS, API_KEY_RANGES_MAX } from "./api-keys.ts";
import { DECIMAL_LENGTH_MAX } from "./decimal.ts";
import {
  CANDLE_INTERVALS,
  type ListKind,
  ORDER_KINDS,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
  TRIGGER_TYPES,
} from "./enumerations.ts";
import { FAULT_SECONDS, KEY_FAULT_NAMES, KEY_FAULTS, type KeyFaultName } from "./key-faults.ts";

export const market = z.string().min(1).max(40);

export const coin = z.string().min(1).max(16);

export const plan = z.string().min(1).max(32);

/** Only its length is checked here: the decimals allowed depend on the market. */
export const decimal = z.string().min(1).max(DECIMAL_LENGTH_MAX);

export const side = z.enum(SIDES);

/** Selects some of the caller's fills; all if empty. */
export const fillFilter = { market: market.optional(), side: side.optional() };

/** Selects some of the caller's orders; all if empty. */
export const orderFilter = { ...fillFilter, kind: z.enum(ORDER_KINDS).optional() };

export const interval = z.enum(CANDLE_INTERVALS);

/** Milliseconds since 1970 UTC. */
export const timeMs = z.number().int().min(0).max(8_640_000_000_000_000);

export const cursor = z.string().min(1).max(200);

/** Items per page. */
export const PAGE_ITEMS_MAX = 200;

/** How many items a page may have. */
export const limit = z.number().int().min(1).max(PAGE_ITEMS_MAX).default(50);

/** Pagination arguments. */
export const paged = { cursor: cursor.optional(), limit };

/** The called function also checks that the id is a safe integer, beyond which no order exists. */
export const orderId = z.string().regex(/^[1-9]\d{0,15}$/, "must be the id of an order");

/** A number that the exchange assigns, from 1 on. */
export const ordinal = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const alertId = z.string().min(1).max(64);

export const noticeId = z.string().min(1).max(100);

export const keyId = z.string().min(1).max(64);

/** A code from an authenticator app. */
export const authenticatorCode = z.string().regex(/^\d{6}$/, "must be six digits");

const fault = (name: KeyFaultName) =>
  z.number().int().min(KEY_FAULTS[name].min).max(KEY_FAULTS[name].max).default(0);

/** The faults of an API key; faults not given are off. */
export const keyFaults = z.strictObject(
  Object.fromEntries(KEY_FAULT_NAMES.map((name) => [name, fault(name)])) as Record<
    KeyFaultName,
    ReturnType<typeof fault>
  >,
);

export const faultSeconds = z
  .number()
  .int()
  .min(FAULT_SECONDS.min)
  .max(FAULT_SECONDS.max)
  .default(FAULT_SECONDS.otherwise);

/** The settings of an API key that its owner chooses. */
export const apiKeyTerms = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(API_KEY_NAME_LENGTH_MAX)
    .regex(/^\P{Cc}*$/u, "must not contain control characters"),
  /** Must include "read". "withdraw" is known but refused: keys cannot withdraw yet. */
  permissions: z.array(z.enum([...API_KEY_PERMISSIONS, "withdraw"])).max(8),
  /** Network addresses, and ranges such as "203.0.113.0/24"; if empty, every address is allowed. */
  addressRanges: z.array(z.string().trim().min(1).max(60)).max(API_KEY_RANGES_MAX).default([]),
  /** Must be in the future; null for a key that never expires. */
  expiresAt: timeMs.nullable().default(null),
};

/** The user that an administrator's request is about. */
export const userId = z.string().min(1).max(64);

/** The code of a coin's network. */
export const network = z.string().min(1).max(16);

/** Identifies a payment outside the exchange. */
export const receipt = z.string().trim().min(1).max(128);

/** An administrator's reason, kept on record. */
export const reason = z.string().trim().min(1).max(200);

/**
 * Arguments of every request that changes money, orders, plans or states. Clients re-send a request
 * whose connection was lost, and a page may do so long after its user has stopped looking.
 */
export const timeLimit = {
  /**
   * The last moment at which the exchange may accept the request, milliseconds since 1970 by exchange
   * time (`venue:time`, or `serverTs` of the newest transition, in nanoseconds there), at most a minute
   * ahead (else `invalidValidUntil`). A request that arrives later changes nothing and is refused with
   * `requestExpired`. A request accepted in time returns its outcome however late it is repeated.
   * Without `validUntil` a request never expires.
   */
  validUntil: timeMs.optional(),
};

/**
 * The condition under which a waiting order is activated: "stop" and "takeProfit" have a price,
 * "trailingStop" a distance.
 */
const trigger = z.strictObject({
  type: z.enum(TRIGGER_TYPES),
  /** The price that the last price must reach; of a placed trailing stop, its present one. */
  price: decimal.optional(),
  /** A trailing stop's distance in basis points. */
  trailBps: z.number().int().min(1).max(9_999).optional(),
});
export type TriggerArgs = z.input<typeof trigger>;

/** Optional terms of orders; new conditions are added here. */
const orderConditions = {
  /** An iceberg's visible quantity: the largest quantity that the book shows of it. */
  display: decimal.optional(),
  /** When a "gtd" order expires, milliseconds since 1970. */
  expiresAt: timeMs.optional(),
  /** Default: the market's mode. */
  selfTradePrevention: z.enum(SELF_TRADE_PREVENTIONS).optional(),
  trigger: trigger.optional(),
};

/** The optional terms of an order. */
export interface OrderSpecial extends z.output<z.ZodObject<typeof orderConditions>> {
  /** The condition for which the open order waits, in no book; absent once it is activated. */
  readonly waitsFor?: "trigger" | "workingOrder";
  /** The id of the order's list, and its kind. */
  readonly listId?: string;
  readonly listKind?: ListKind;
}

/**
 * The terms of an order except its market. A limit order needs price and quantity; a market order
 * exactly one of quantity and quoteAmount.
 */
export const orderTerms = {
  side,
  type: z.enum(ORDER_TYPES),
  /** Default "gtc" for limit orders ("gtd" if they have an end), "ioc" for market orders. */
  timeInForce: z.enum(TIMES_IN_FORCE).optional(),
  postOnly: z.boolean().optional(),
  price: decimal.optional(),
  quantity: decimal.optional(),
  quoteAmount: decimal.optional(),
  /** Unique per user: a repeat returns the first order and places nothing. */
  clientOrderId: z
    .string()
    .min(1)
    .max(36)
    .regex(/^[A-Za-z0-9._:/-]+$/, "may have letters, digits and . _ : / - only")
    .optional(),
  ...orderConditions,
};
export const order = z.strictObject(orderTerms);
export type OrderArgs = z.input<typeof order>;

/**
 * Selects ledger entries of the caller (LedgerSelection): of one journal sequence, all or in one coin;
 * of one order; or of one fill.
 */
export const ledgerSelection = z
  .strictObject({
    sequence: ordinal.optional(),
    coin: coin.optional(),
    orderId: orderId.optional(),
    tradeId: ordinal.optional(),
  })
  .superRefine((selection, refinement) => {
    const missing = missingOf(selection);
    if (missing === undefined) return;
    refinement.addIssue({ code: "custom", path: [missing], message: "is required" });
  });

interface Selection {
  readonly sequence?: number | undefined;
  readonly orderId?: string | undefined;
  readonly tradeId?: number | undefined;
}

/** The missing argument that the given ones require; undefined if none is missing. */
function missingOf({ sequence, orderId, tradeId }: Selection): keyof Selection | undefined {
  if (orderId === undefined && tradeId !== undefined) return "orderId";
  if (sequence === undefined && (orderId === undefined || tradeId !== undefined)) return "sequence";
  if (sequence !== undefined && orderId !== undefined && tradeId === undefined) return "tradeId";
  return undefined;
}
