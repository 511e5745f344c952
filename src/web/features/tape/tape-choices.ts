import { storedChoice } from "../../ui/stored-choice.ts";

/** The coin in which the tape tells how much was traded; stored in this browser. */
export type TapeUnit = "base" | "quote";

export const tapeUnit = storedChoice<TapeUnit>("openbell.trade.tape", (given) =>
  given === "quote" ? "quote" : "base",
);
