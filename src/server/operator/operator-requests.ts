/**
 * The command line's requests to a running exchange, by path; they correspond to the
 * administrators' pages.
 */
import { adjustmentRequests } from "./adjustments.ts";
import { entryRequests } from "./entries.ts";
import { marketRequests } from "./markets.ts";
import type { OperatorServices } from "./request.ts";
import { transferRequests } from "./transfers.ts";
import { userRequests } from "./users.ts";

export function operatorRequests(services: OperatorServices) {
  return {
    ...userRequests(services),
    ...marketRequests(services),
    ...entryRequests(services),
    ...adjustmentRequests(services),
    ...transferRequests(services),
  };
}
