/** What is traded with whom, and what happens to the orders of users who are gone. */
import { z } from "zod";
import { DEFAULT_PRACTICE_FUNDS, practiceFunds } from "../catalogue/practice-funds.ts";
import { flag, wholeNumber } from "./setting-kinds.ts";

export const exchangeSettings = {
  OPEN_ORDERS_AT_SIGN_OUT: z.enum(["keep", "cancel"]).default("keep"),
  OPEN_ORDERS_AT_BAN: z.enum(["cancel", "keep"]).default("cancel"),
  SIMULATION: flag.default(true),
  SIMULATION_SEED: wholeNumber(0, 4_294_967_295).default(1),
  PRACTICE_FUNDS: practiceFunds.default(DEFAULT_PRACTICE_FUNDS),
} as const;
