/** Observes the live connection for the page's indicators, and tracks the server's time. */
import type { ConvexReactClient } from "convex/react";
import { functions } from "#contract/functions.ts";
import { type Connection, ConnectionMonitor } from "./connection-state.ts";
import { awakeClock, ServerClock } from "./server-clock.ts";

/** How long to wait for a heartbeat after the network is back, before the socket is replaced. */
const PROBE_MS = 1_500;
/** A silence this long means that the machine slept, which few sockets survive. */
const SLEEP_MS_MIN = 10_000;

export interface PageConnection {
  readonly client: ConvexReactClient;
  /** Closes the client's sockets, so that it reconnects. */
  readonly giveUpSockets: () => void;
  /** Created when the page first reads the connection's state. */
  watch?: ConnectionWatch;
}

/** The page's connection watch, created on first use; the public site never uses it. */
export function watchOf(connection: PageConnection): ConnectionWatch {
  connection.watch ??= new ConnectionWatch(connection);
  return connection.watch;
}

export class ConnectionWatch {
  readonly #client: ConvexReactClient;
  readonly #giveUpSockets: () => void;
  readonly #monitor = new ConnectionMonitor(awakeClock());
  readonly #serverClock = new ServerClock(() => performance.now());
  readonly #listeners = new Set<() => void>();
  #shown: Connection = this.#monitor.state();
  #alarm: ReturnType<typeof setTimeout> | undefined;
  #probe: ReturnType<typeof setTimeout> | undefined;
  #stopListening: (() => void) | null = null;
  #endHeartbeat: (() => void) | null = null;

  constructor({ client, giveUpSockets }: Pick<PageConnection, "client" | "giveUpSockets">) {
    this.#client = client;
    this.#giveUpSockets = giveUpSockets;
  }

  /** Adds a listener. Heartbeats are requested while there is one and the page is visible. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#stopListening ??= this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = null;
    };
  };

  /** The connection's state; the same object until it changes. */
  readonly read = (): Connection => this.#shown;

  /** Milliseconds since the page's data was known to be current. */
  ageMs(): number {
    return this.#monitor.ageMs();
  }

  /**
   * The server's time in milliseconds since 1970, never ahead of it; null before the first
   * heartbeat.
   */
  serverNowMs(): number | null {
    return this.#serverClock.nowMs();
  }

  #start(): () => void {
    const ends = new AbortController();
    const { signal } = ends;
    const monitor = this.#monitor;
    const onNetwork = (isOnline: boolean) => {
      monitor.network(isOnline);
      if (isOnline) this.#probeSocket();
      this.#update();
    };
    const onVisibility = () => {
      if (document.visibilityState === "hidden") {
        monitor.hidden();
        this.#stopHeartbeat();
        return;
      }
      monitor.visible();
      this.#startHeartbeat();
      this.#probeSocket();
      this.#update();
    };
    const readSocket = () => {
      monitor.socket(this.#client.connectionState().isWebSocketConnected);
      this.#update();
    };
    window.addEventListener("online", () => onNetwork(true), { signal });
    window.addEventListener("offline", () => onNetwork(false), { signal });
    document.addEventListener("visibilitychange", onVisibility, { signal });
    const stopReading = this.#client.subscribeToConnectionState(readSocket);
    monitor.network(navigator.onLine);
    if (document.visibilityState === "hidden") monitor.hidden();
    else this.#startHeartbeat();
    readSocket();
    return () => {
      ends.abort();
      stopReading();
      this.#stopHeartbeat();
      clearTimeout(this.#probe);
    };
  }

  #startHeartbeat(): void {
    if (this.#endHeartbeat !== null) return;
    const watch = this.#client.watchQuery(functions.venue.time, {});
    this.#endHeartbeat = watch.onUpdate(() => {
      const serverMs = readOrUndefined(() => watch.localQueryResult());
      if (serverMs === undefined) return;
      clearTimeout(this.#probe);
      this.#serverClock.received(serverMs);
      this.#monitor.received(this.#serverClock.delayMs(serverMs));
      this.#update();
    });
  }

  #stopHeartbeat(): void {
    this.#endHeartbeat?.();
    this.#endHeartbeat = null;
    clearTimeout(this.#alarm);
  }

  /** Replaces the socket unless a heartbeat shows that it survived the outage. */
  #probeSocket(): void {
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => {
      if (this.#client.connectionState().isWebSocketConnected) this.#giveUpSockets();
    }, PROBE_MS);
  }

  #update(): void {
    clearTimeout(this.#alarm);
    const state = this.#monitor.state();
    if (state.kind === "live" && this.#endHeartbeat !== null) {
      this.#alarm = setTimeout(() => this.#onSilence(), this.#monitor.leftMs());
    }
    if (state === this.#shown) return;
    this.#shown = state;
    for (const listener of this.#listeners) listener();
  }

  #onSilence(): void {
    if (this.#monitor.ageMs() > SLEEP_MS_MIN) this.#probeSocket();
    this.#update();
  }
}

/** The query's value, undefined if it failed: a failed query is no heartbeat. */
function readOrUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
