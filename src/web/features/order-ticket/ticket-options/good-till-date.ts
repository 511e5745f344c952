import type { TicketOption } from "./ticket-option.ts";

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** The local time at which an order ends whose time in force says so. */
export const goodTillDate: TicketOption<never, "end"> = {
  applies: ({ type, timeInForce }) => type === "limit" && timeInForce === "gtd",
  field: {
    name: "end",
    label: "End",
    kind: "time",
    problem({ texts }) {
      const endMs = new Date(texts.end).getTime();
      const nowMs = Date.now();
      if (Number.isNaN(endMs)) return "End is missing.";
      if (endMs <= nowMs) return "End must be in the future.";
      return endMs > nowMs + DAYS_MAX * DAY_MS ? `End must be within ${DAYS_MAX} days.` : null;
    },
  },
  terms: ({ texts }) => ({ expiresAt: new Date(texts.end).getTime() }),
};
