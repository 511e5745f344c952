import { ICEBERG_PARTS_MAX } from "#contract/iceberg-parts.ts";
import { completeNumber, unitsOf } from "../../../format/typed-number.ts";
import { quantityProblem } from "../number-problems.ts";
import { mayRest } from "../ticket-entries.ts";
import type { TicketOption } from "./ticket-option.ts";

const LABEL = "Visible quantity";

export const iceberg: TicketOption<"isIceberg", "display"> = {
  checkbox: { name: "isIceberg", label: "Iceberg" },
  applies: (entries) => entries.isIceberg && mayRest(entries),
  field: {
    name: "display",
    label: LABEL,
    kind: "quantity",
    problem({ texts: { display } }, { market }, { quantity }) {
      const problem = quantityProblem(LABEL, display, market);
      if (problem !== null) return problem;
      const shown = unitsOf(display, market.quantityDecimals);
      const whole = quantity === null ? null : unitsOf(quantity, market.quantityDecimals);
      if (shown === null || whole === null) return null;
      if (shown >= whole) return `${LABEL} must be less than the quantity.`;
      return shown * BigInt(ICEBERG_PARTS_MAX) < whole
        ? `${LABEL} must be at least a tenth of the quantity.`
        : null;
    },
  },
  terms: ({ texts: { display } }) => ({ display: completeNumber(display) }),
};
