/**
 * Opens a stream for a writer through the server that leads it. Any other server passes each message on to
 * that one: a hop more for every append, and a quarter more processor time of all servers together.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { NatsConnection } from "@nats-io/transport-node";
import { connectTo, type OpenStream, openStream } from "./connection.ts";
import type { StreamAddress } from "./stream-address.ts";

/** A takeover waits no longer for it, for instance if a server is frozen. */
const SEARCH_MS_MAX = 500;

/**
 * Opens the stream, creating it if it is missing, through any server if the one that leads it is not found.
 * @throws StreamRefusedError as `connectTo` and `openStream`
 */
export async function openAtLeader(address: StreamAddress): Promise<OpenStream> {
  const opened = await openStream(await connectTo(address), address, true);
  const { connection, leading } = opened;
  if (leading === undefined || leading === connection.info?.server_name) return opened;
  const nearer = await connectToNamed(address, leading);
  if (nearer === undefined) return opened;
  // It may have died since: a takeover must not fail where it would have succeeded without this.
  const openedNearer = await openStream(nearer, address, true).catch(() => undefined);
  if (openedNearer === undefined) return opened;
  await connection.close();
  return openedNearer;
}

/** A connection to the server of this name; undefined if none of the address is found to have it in time. */
async function connectToNamed(
  address: StreamAddress,
  name: string,
): Promise<NatsConnection | undefined> {
  const tooLate = delay(SEARCH_MS_MAX, undefined, { ref: false });
  for (const server of address.servers) {
    const connecting = connectTo(address, server).catch(() => undefined);
    const connection = await Promise.race([connecting, tooLate]);
    if (connection?.info?.server_name === name) return connection;
    void connecting.then((unwanted) => unwanted?.close());
  }
  return undefined;
}
