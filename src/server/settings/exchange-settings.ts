/** Settings of the markets, the simulation, and the orders of deleted or banned users. */
import { z } from "zod";
import { CatalogueError } from "../catalogue/catalogue-file.ts";
import { practiceFunds } from "../catalogue/practice-funds.ts";
import { readCatalogue } from "../catalogue/read-catalogue.ts";
import { flag, wholeNumber } from "./setting-kinds.ts";

export const exchangeSettings = {
  OPEN_ORDERS_AT_SIGN_OUT: z.enum(["keep", "cancel"]).default("keep"),
  OPEN_ORDERS_AT_BAN: z.enum(["cancel", "keep"]).default("cancel"),
  FUNDED_MODE: z.enum(["off", "manual"]).default("off"),
  WITHDRAWAL_ADDRESS_HOURS: wholeNumber(0, 720).default(24),
  WITHDRAWAL_PAUSE_HOURS: wholeNumber(0, 720).default(24),
  SIMULATION: flag.default(true),
  SIMULATION_SEED: wholeNumber(0, 4_294_967_295).default(1),
  SIMULATION_PACE_PERCENT: wholeNumber(1, 100).default(100),
  SIMULATED_TRADES_DAYS: wholeNumber(1, 36_500).default(7),
  CATALOGUE: z
    .string()
    .transform((path, context) => {
      try {
        return readCatalogue(path);
      } catch (error) {
        if (!(error instanceof CatalogueError)) throw error;
        context.addIssue({ code: "custom", message: error.sentences.join("\n  ") });
        return z.NEVER;
      }
    })
    .optional(),
  /** Default: the practice funds of the catalogue. */
  PRACTICE_FUNDS: practiceFunds.optional(),
} as const;
