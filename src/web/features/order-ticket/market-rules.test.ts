import { expect, test } from "vitest";
import { stateRefusal } from "./market-rules.ts";
import { INITIAL_TICKET } from "./ticket-state.ts";

const MARKET_ORDER = { ...INITIAL_TICKET, type: "market" } as const;
const STOP_LIMIT = { ...INITIAL_TICKET, condition: "stop" } as const;

test("a trading market takes everything, a halted one nothing", () => {
  for (const entries of [INITIAL_TICKET, MARKET_ORDER, STOP_LIMIT]) {
    expect(stateRefusal("trading", entries)).toBeNull();
    for (const status of ["halted", "cancelOnly", "closed"] as const) {
      expect(stateRefusal(status, entries)).not.toBeNull();
    }
  }
});

test("a market that gathers orders takes limit orders that may rest", () => {
  for (const status of ["preOpen", "auction"] as const) {
    expect(stateRefusal(status, INITIAL_TICKET)).toBeNull();
    for (const entries of [
      MARKET_ORDER,
      STOP_LIMIT,
      { ...INITIAL_TICKET, timeInForce: "ioc" },
    ] as const) {
      expect(stateRefusal(status, entries)).toMatch("only limit orders");
    }
  }
});

test("a post-only market takes post-only orders", () => {
  expect(stateRefusal("postOnly", INITIAL_TICKET)).toMatch("post-only orders only");
  expect(stateRefusal("postOnly", { ...INITIAL_TICKET, postOnly: true })).toBeNull();
});
