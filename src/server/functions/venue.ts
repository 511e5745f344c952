/** What the exchange calls itself and what it is. */
import type { VenueInfo } from "#contract/types.ts";
import { query } from "./define.ts";
import { noArguments } from "./schemas.ts";

export const info = query(noArguments, ({ services, dependsOn }): VenueInfo => {
  dependsOn("catalog");
  const { config, views } = services;
  return {
    productName: config.PRODUCT_NAME,
    settlementCoin: views.settlementCoin,
    simulated: views.catalog.markets().some(({ definition }) => definition.simulated),
    development: config.ENVIRONMENT === "development",
  };
});
