/** What the exchange calls itself and what it is. */
import type { VenueInfo } from "#contract/types.ts";
import type { Handlers } from "./handlers.ts";

export const info: Handlers["venue"]["info"] = ({ services, dependsOn }): VenueInfo => {
  dependsOn("catalogue");
  const { config, views } = services;
  return {
    productName: config.PRODUCT_NAME,
    settlementCoin: views.settlementCoin,
    simulated: views.catalogue.markets().some(({ definition }) => definition.simulated),
    development: config.ENVIRONMENT === "development",
  };
};

/** The topic of {@link time}; see heartbeat.ts. */
export const HEARTBEAT_TOPIC = "heartbeat";

/**
 * The time by which commands are stamped, pushed every second to each page that is looked at: a page
 * that hears nothing knows that it is cut off, and one that does can say until when what it asks for is
 * meant.
 */
export const time: Handlers["venue"]["time"] = ({ services, dependsOn }) => {
  dependsOn(HEARTBEAT_TOPIC);
  return services.views.nowMs();
};
