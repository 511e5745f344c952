/** The contract's texts for price alerts, with numbers in the viewer's format. */
// oxlint-disable no-restricted-imports -- here they are put into the viewer's format
import { type AlertCondition, conditionWords as words } from "#contract/alerts.ts";
import { formatGivenPrice } from "./given-price.ts";

/** A price alert's condition: "Crosses 65,000.00", "Changes by 2.5 % within 15 min". */
export function conditionWords(condition: AlertCondition): string {
  return words(condition, formatGivenPrice);
}
