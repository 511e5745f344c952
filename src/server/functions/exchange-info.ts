/** The exchange's name and description, and its time. */
import type { VenueInfo } from "#contract/types.ts";
import type { ReactiveServer } from "../reactive/reactive-server.ts";
import type { Handlers } from "./handlers.ts";
import { fundsOf } from "./present-market.ts";

/** The topic of {@link time}. */
const HEARTBEAT_TOPIC = "heartbeat";
/** Pages report a lost connection after two missed heartbeats. */
const HEARTBEAT_MS = 1_000;
/** Conflated like market data, with which it is sent. */
const HEARTBEAT = new Map([[HEARTBEAT_TOPIC, "conflated" as const]]);

export const info: Handlers["venue"]["info"] = ({ services, dependsOn }): VenueInfo => {
  dependsOn("catalogue");
  const { config, views } = services;
  return {
    productName: config.PRODUCT_NAME,
    settlementCoin: views.settlementCoin,
    simulated: views.catalogue.markets().some(({ definition }) => definition.simulated),
    funds: fundsOf(views),
    development: config.ENVIRONMENT === "development",
  };
};

/**
 * Exchange time, pushed every second to each page in view: a page that receives nothing knows that it
 * is disconnected, and a connected one can set the time limits of its requests.
 */
export const time: Handlers["venue"]["time"] = ({ services, dependsOn }) => {
  dependsOn(HEARTBEAT_TOPIC);
  return services.views.nowMs();
};

/** Sends the heartbeat to subscribed pages every second. @returns a function that stops it */
export function startHeartbeat({ invalidate }: Pick<ReactiveServer, "invalidate">): () => void {
  const beating = setInterval(() => invalidate(HEARTBEAT), HEARTBEAT_MS).unref();
  return () => clearInterval(beating);
}
