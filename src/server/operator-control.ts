/** Receives operators' commands on the running exchange, wired to the parts that answer them. */
import { catalogueRequests } from "./catalogue/catalogue-requests.ts";
import { openControl } from "./control/control-server.ts";
import type { Services } from "./functions/services.ts";
import { adjustmentRequests } from "./operator/adjustments.ts";
import { entryRequests } from "./operator/entries.ts";
import { marketRequests } from "./operator/markets.ts";
import { transferRequests } from "./operator/transfers.ts";
import { userRequests } from "./operator/users.ts";
import { catalogueOf } from "./settings/config.ts";

/** @returns a function that closes the socket */
export function openOperatorControl(services: Services): Promise<() => Promise<void>> {
  const { config, exchange, log, views } = services;
  const { planLimits, participants } = catalogueOf(config);
  return openControl({
    dataDir: config.DATA_DIR,
    requests: {
      ...catalogueRequests({
        listing: views.catalogue,
        exchange,
        practiceFunds: config.PRACTICE_FUNDS,
        planLimits,
        participants,
      }),
      // These correspond to the administrators' pages.
      ...userRequests(services),
      ...marketRequests(services),
      ...entryRequests(services),
      ...adjustmentRequests(services),
      ...transferRequests(services),
    },
    log,
  });
}
