/** Schemas of arguments that several functions take. Every text is bounded, unknown keys are refused. */
import { z } from "zod";
import { DECIMAL_LENGTH_MAX } from "#contract/decimal.ts";
import { CANDLE_INTERVALS } from "#contract/types.ts";

export const noArguments = z.strictObject({});

export const marketSymbol = z.string().min(1).max(40);

export const coinSymbol = z.string().min(1).max(16);

/** Only bounded here: what it means depends on the market. */
export const decimal = z.string().min(1).max(DECIMAL_LENGTH_MAX);

export const candleInterval = z.enum(CANDLE_INTERVALS);

/** Milliseconds since 1970 UTC. */
export const timeMs = z.number().int().min(0).max(8_640_000_000_000_000);

/** Until when a request may be taken (TimeLimitArgs); the engine checks it when it is sequenced. */
export const timeLimit = { validUntil: timeMs.optional() };

export const cursor = z.string().min(1).max(200);

export const pageLimit = z.number().int().min(1).max(200);

/** Safe integers are for the function to check: beyond them there is no order. */
export const orderNumber = z.string().regex(/^[1-9]\d{0,15}$/, "must be the id of an order");

/** A number that the exchange counts from 1. */
export const ordinal = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Somebody else's, named by an administrator. */
export const userId = z.string().min(1).max(64);

/** Why an administrator did something, for the record. */
export const reason = z.string().trim().min(1).max(200);
