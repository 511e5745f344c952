/** The paths of the trading API's WebSockets, each with its handler. */
import type { ConnectionSlotLimits } from "../limits/connection-slots.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { Calls } from "./calls.ts";
import { connectionFaults } from "./fault-lab/connection-faults.ts";
import { type ClientSocket, POLICY, type SocketUser } from "./sockets/client-socket.ts";
import {
  createSocketServer,
  type ConnectionKind,
  type SocketServer,
} from "./sockets/socket-server.ts";
import { MarketStreams } from "./streams/market-streams.ts";
import {
  isStreamsUrl,
  STREAM_REQUEST_RATE,
  requestedStreamsOf,
  StreamClient,
} from "./streams/stream-client.ts";
import { asksForMilliseconds } from "./time-unit.ts";
import { ListenKeyStreams } from "./user-data/listen-key-streams.ts";
import { UserDataFeeds } from "./user-data/user-data-feeds.ts";
import { UserPlaces } from "./ws-api/user-places.ts";
import { WS_REQUEST_RATE, WsClient } from "./ws-api/ws-client.ts";

/** Opens the connection first: a close frame can give the reason, a failed handshake cannot. */
function closeForTimeUnit(socket: ClientSocket): SocketUser {
  socket.close(POLICY, "Times are in milliseconds here: leave out timeUnit.");
  return { onText() {}, onClosing() {}, onShutdown() {} };
}

const WS_API = /^\/ws-api\/v3(?:[/?]|$)/;

export interface ProgramSocketsOptions {
  readonly calls: Calls;
  readonly slots: ConnectionSlotLimits;
  readonly held: HeldBytes;
}

/** Market streams at `/ws` and `/stream`, calls and user data at `/ws-api/v3`. */
export function createProgramSockets({ calls, held, slots }: ProgramSocketsOptions): SocketServer {
  const { lab, services } = calls;
  const { apiKeys, commandRates, config, exchange, listenKeys, log, sharedLimits, views } =
    services;
  const streams = new MarketStreams(views, exchange);
  const feeds = new UserDataFeeds(views, exchange);
  const userPlaces = new UserPlaces(commandRates, sharedLimits);
  const listenKeyStreams = new ListenKeyStreams({
    listenKeys,
    feeds,
    places: userPlaces,
    exchange,
    lab,
    mayUse: (keyId, address) => apiKeys.allows(keyId, address),
    apiKeyOf: (keyId) => apiKeys.recordOf(keyId)?.apiKey,
    nowMs: () => views.nowMs(),
  });
  return createSocketServer({
    kindOf(url): ConnectionKind | undefined {
      const isWsApi = WS_API.test(url);
      if (!isWsApi && !isStreamsUrl(url)) return undefined;
      return {
        rate: isWsApi ? WS_REQUEST_RATE : STREAM_REQUEST_RATE,
        // In its turn: a URL may name thousands of streams.
        open(socket) {
          if (!asksForMilliseconds(url)) return closeForTimeUnit(socket);
          if (isWsApi) return new WsClient(socket, { calls, feeds, places: userPlaces });
          const requested = requestedStreamsOf(url);
          return new StreamClient(socket, { streams, listenKeyStreams, requested, lab });
        },
      };
    },
    faults: connectionFaults(lab),
    log,
    slots,
    messagesPerSecond: config.STREAM_MESSAGES_PER_ADDRESS,
    shares: calls.shares,
    held,
    timeMs: () => views.nowMs(),
  });
}
