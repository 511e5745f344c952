/** What the exchange calls itself and what it is, and its time. */
import type { VenueInfo } from "#contract/types.ts";
import type { ReactiveServer } from "../reactive/reactive-server.ts";
import type { Handlers } from "./handlers.ts";

/** The topic of {@link time}. */
const HEARTBEAT_TOPIC = "heartbeat";
/** Pages call themselves cut off when they miss two. */
const HEARTBEAT_MS = 1_000;
/** It rides along with market data, which is conflated as well. */
const BEAT = new Map([[HEARTBEAT_TOPIC, "conflated" as const]]);

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

/**
 * The time by which commands are stamped, pushed every second to each page that is looked at: a page
 * that hears nothing knows that it is cut off, and one that does can say until when what it asks for is
 * meant.
 */
export const time: Handlers["venue"]["time"] = ({ services, dependsOn }) => {
  dependsOn(HEARTBEAT_TOPIC);
  return services.views.nowMs();
};

/** Tells the pages that ask for it, every second, that they are connected. @returns stops it */
export function startHeartbeat({ invalidate }: Pick<ReactiveServer, "invalidate">): () => void {
  const beating = setInterval(() => invalidate(BEAT), HEARTBEAT_MS);
  beating.unref();
  return () => clearInterval(beating);
}
