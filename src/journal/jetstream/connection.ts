/** Connects to NATS, and checks the properties of its servers that decide whether they may keep a journal. */
import {
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { describeAddress, type StreamAddress } from "./stream-address.ts";
import { MESSAGE_BYTES_MIN, newStreamConfig, refusalOf } from "./stream-rules.ts";
import { untilReady } from "./until-ready.ts";

const CONNECT_MS_MAX = 3_000;
/** A dead or frozen server is noticed after two or three of these. */
const PING_EVERY_MS = 1_000;
const PINGS_OUT_MAX = 2;
const RECONNECT_AFTER_MS = 100;
const MONITOR_MS_MAX = 3_000;

/** The stream is unreachable, or must not keep a journal. */
class StreamRefusedError extends Error {
  override readonly name = "StreamRefusedError";
}

/**
 * @param first of the address's servers, the one to try first; in random order if omitted
 * @throws StreamRefusedError if no server answers
 */
export async function connectTo(address: StreamAddress, first?: string): Promise<NatsConnection> {
  const { servers, user, password, token, isEncrypted } = address;
  const others = servers.filter((server) => server !== first);
  try {
    return await connect({
      servers: first === undefined ? others : [first, ...others],
      noRandomize: first !== undefined,
      user,
      pass: password,
      token,
      tls: isEncrypted ? {} : null,
      name: "openbell",
      timeout: CONNECT_MS_MAX,
      pingInterval: PING_EVERY_MS,
      maxPingOut: PINGS_OUT_MAX,
      reconnectTimeWait: RECONNECT_AFTER_MS,
      maxReconnectAttempts: -1,
      // The stacks that the client notes of every request otherwise take as long as sending it.
      noAsyncTraces: true,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = describeAddress(address);
    throw new StreamRefusedError(`NATS cannot be reached for ${where}: ${reason}.`, {
      cause: error,
    });
  }
}

export interface OpenStream {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly exists: boolean;
  /** The name of the server that leads the stream, if one does. */
  readonly leading: string | undefined;
  /** Limit of one message with its headers. */
  readonly messageBytesMax: number;
  /** Whether its oldest messages may be removed. */
  readonly isShortened: boolean;
}

/**
 * Checks that the stream may keep a journal; creates it if it is missing and the caller writes.
 * @throws StreamRefusedError with a sentence if it may not, and closes the connection
 */
export async function openStream(
  connection: NatsConnection,
  address: StreamAddress,
  creates: boolean,
): Promise<OpenStream> {
  try {
    const manager = await untilReady(() => jetstreamManager(connection));
    let info = await untilReady(() => findStream(manager, address.stream));
    if (info === undefined) {
      if (!creates) {
        return {
          connection,
          manager,
          exists: false,
          leading: undefined,
          messageBytesMax: MESSAGE_BYTES_MIN,
          isShortened: false,
        };
      }
      const { archive, replicas, stream } = address;
      const config = newStreamConfig(stream, replicas, archive !== undefined);
      await requireSafe(connection, address, config, undefined);
      info = await untilReady(() => manager.streams.add(config));
    }
    const leading = info.cluster?.leader;
    await requireSafe(connection, address, info.config, leading);
    return {
      connection,
      manager,
      exists: true,
      leading,
      messageBytesMax: messageBytesMax(connection, info.config),
      isShortened: !info.config.deny_purge,
    };
  } catch (error) {
    await connection.close();
    if (error instanceof StreamRefusedError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const where = describeAddress(address);
    throw new StreamRefusedError(`JetStream does not give ${where}: ${reason}.`, { cause: error });
  }
}

async function findStream(
  manager: JetStreamManager,
  stream: string,
): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (error instanceof Error && error.name === "StreamNotFoundError") return undefined;
    throw error;
  }
}

function messageBytesMax(connection: NatsConnection, config: Partial<StreamConfig>): number {
  const { max_msg_size: ofStream = -1 } = config;
  const ofServer = connection.info?.max_payload ?? 0;
  return ofStream > 0 ? Math.min(ofStream, ofServer) : ofServer;
}

/** @param keeper the server that leads the stream, if known */
async function requireSafe(
  connection: NatsConnection,
  address: StreamAddress,
  config: Partial<StreamConfig>,
  keeper: string | undefined,
): Promise<void> {
  const single = config.num_replicas === 1 ? address.monitor : undefined;
  const server = keeper ?? connection.info?.server_name ?? "";
  const refusal = refusalOf(config, {
    version: connection.info?.version ?? "0",
    messageBytesMax: messageBytesMax(connection, config),
    writesBeforeAnswer: single === undefined ? undefined : await hasSyncAlways(single, server),
  });
  if (refusal !== undefined) throw new StreamRefusedError(refusal);
}

/** Whether the server with the only replica has `sync_interval: always`. */
async function hasSyncAlways(monitor: string, keeper: string): Promise<boolean> {
  const response = await fetch(new URL("/varz", monitor), {
    signal: AbortSignal.timeout(MONITOR_MS_MAX),
  });
  const server = (await response.json()) as {
    server_name?: string;
    jetstream?: { config?: { sync_always?: boolean } };
  };
  if (server.server_name !== keeper) {
    throw new StreamRefusedError(
      `The monitoring endpoint ${monitor} is of the server ${server.server_name}, but ${keeper} keeps the stream.`,
    );
  }
  return server.jetstream?.config?.sync_always === true;
}
