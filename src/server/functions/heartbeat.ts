/** Tells the pages that ask for it, every second, that they are connected. */
import { HEARTBEAT_TOPIC } from "./venue.ts";
import type { ReactiveServer } from "../reactive/reactive-server.ts";

/** Pages call themselves cut off when they miss two. */
const HEARTBEAT_MS = 1_000;
/** It rides along with market data, which is conflated as well. */
const BEAT = new Map([[HEARTBEAT_TOPIC, "conflated" as const]]);

/** @returns stops it */
export function startHeartbeat({ invalidate }: Pick<ReactiveServer, "invalidate">): () => void {
  const beating = setInterval(() => invalidate(BEAT), HEARTBEAT_MS);
  beating.unref();
  return () => clearInterval(beating);
}
