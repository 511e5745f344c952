import { storedChoice } from "../../ui/shared-value.ts";

/** The coin in which the tape shows quantities; stored in this browser. */
export type TapeUnit = "base" | "quote";

export const tapeUnit = storedChoice<TapeUnit>("openbell.trade.tape", (given) =>
  given === "quote" ? "quote" : "base",
);
