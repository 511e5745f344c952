/**
 * Settings of the limits per network address and per user; src/server/limits enforces the limits
 * per client.
 */
import { wholeNumber } from "./setting-kinds.ts";

export const limitSettings = {
  CONNECTIONS_PER_ADDRESS: wholeNumber(1, 10_000).default(512),
  NEW_CONNECTIONS_PER_ADDRESS: wholeNumber(10, 1_000_000).default(5_000),
  REACTIVE_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 10_000).default(256),
  REQUESTS_PER_ADDRESS: wholeNumber(1, 10_000).default(128),
  MUTATIONS_PER_USER: wholeNumber(1, 1_000_000).default(1_000),
  MUTATIONS_PER_ADDRESS: wholeNumber(1, 1_000_000).default(2_000),
  HELD_MEGABYTES_PER_ADDRESS: wholeNumber(4, 1_024).default(32),
  STREAM_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 10_000).default(300),
  STREAM_MESSAGES_PER_ADDRESS: wholeNumber(10, 1_000_000).default(2_000),
  TRADING_API_WEIGHT: wholeNumber(100, 1_000_000).default(6_000),
  PRICE_ALERTS_PER_USER: wholeNumber(0, 1_000).default(50),
} as const;
