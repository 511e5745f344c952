/** The headers of a stream's messages. */
import type { MsgHdrs } from "@nats-io/transport-node";

/** The header of a group's message with the hash of the writer's state after the group. */
export const STATE_HASH_HEADER = "Openbell-State-Hash";

/** The header of a segment's first message with the version of its writer's engine. */
export const ENGINE_VERSION_HEADER = "Openbell-Engine";

/** The engine version in a message's headers; undefined if there is none. */
export function engineVersionIn(own: MsgHdrs | undefined): number | undefined {
  if (own?.has(ENGINE_VERSION_HEADER) !== true) return undefined;
  return Number(own.get(ENGINE_VERSION_HEADER));
}
