import type { TicketOption } from "./ticket-option.ts";

export const postOnly: TicketOption<"postOnly"> = {
  checkbox: { name: "postOnly", label: "Post-only" },
  applies: ({ type }) => type === "limit",
  terms: (entries) => ({ postOnly: entries.postOnly }),
};
