/** Parses the steps of a market's schedule as typed. */
import type { MarketState, MarketStatus } from "#contract/types.ts";
import { nextStatusOf, stateSeconds } from "./market-texts.ts";
import { minutesText } from "./minutes.ts";

export const STEPS_MAX = 32;

export interface StepTexts {
  /** When the state begins, such as "2026-12-01T14:00", in UTC. */
  readonly at: string;
  readonly status: MarketStatus;
  /** How many minutes a state lasts that ends by itself; "" if it does not end. */
  readonly minutes: string;
}

interface Step {
  readonly at: number;
  readonly status: MarketStatus;
  readonly forSeconds?: number;
}

export function stepTextsOf(scheduled: MarketState["scheduled"]): StepTexts[] {
  return scheduled.map(({ at, status, forSeconds }) => ({
    at: new Date(at).toISOString().replace(/(?::00)?\.000Z$|Z$/, ""),
    status,
    minutes: forSeconds === null ? "" : minutesText(forSeconds * 1000),
  }));
}

/** The parsed steps, or an error message for each step; "" for a valid step. */
export function parseSteps(
  texts: readonly StepTexts[],
  nowMs: number,
): { readonly steps: Step[] } | { readonly problems: string[] } {
  let lastMs = nowMs;
  const steps: Step[] = [];
  const problems = texts.map(({ at: text, status, minutes }) => {
    const at = Date.parse(`${text}Z`);
    if (text === "" || Number.isNaN(at)) return "Enter a day and a time";
    if (at <= nowMs) return "This time is past";
    if (at <= lastMs) return "Enter a time after that of the step before";
    lastMs = at;
    const seconds = nextStatusOf(status) === undefined ? null : stateSeconds(minutes);
    if (typeof seconds === "string") return seconds;
    steps.push({ at, status, ...(seconds !== null && { forSeconds: seconds }) });
    return "";
  });
  return steps.length === texts.length ? { steps } : { problems };
}
