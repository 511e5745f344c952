/**
 * Limits memory that is held for slow clients: responses that they do not read, requests that they
 * do not finish. Memory is limited per client and in total. Beyond the limit the client that holds
 * most loses its largest, or its oldest, holding. Beyond the total that is a client of the site
 * (client-key.ts) that holds most: a network with thousands of addresses is one.
 */
import { type ClientKey, queueKeyOf } from "./client-key.ts";

export interface HeldBytesLimits {
  readonly all: number;
  readonly perClient: number;
}

export interface Holding {
  /** Sets the holding's size; may end this holding or another one. */
  set(bytes: number): void;
  /** Sets the size to 0. */
  close(): void;
}

interface Entry {
  bytes: number;
  readonly end: () => void;
}

interface Client {
  bytes: number;
  readonly entries: Set<Entry>;
}

export class HeldBytes {
  readonly #limits: HeldBytesLimits;
  readonly #first: "largest" | "oldest";
  readonly #clients = new Map<ClientKey, Client>();
  #bytes = 0;

  /** @param first which of a client's holdings is ended first */
  constructor(limits: HeldBytesLimits, first: "largest" | "oldest" = "largest") {
    this.#limits = limits;
    this.#first = first;
  }

  /** The bytes held for all clients. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Opens a holding of 0 bytes.
   * @param end releases the memory; called at most once, when the holding is already closed
   */
  open(client: ClientKey, end: () => void): Holding {
    const entry: Entry = { bytes: 0, end };
    return {
      set: (bytes) => {
        if (bytes === entry.bytes) return;
        const grows = bytes > entry.bytes;
        this.#change(client, entry, bytes);
        if (grows) this.#enforce(client);
      },
      close: () => {
        if (entry.bytes !== 0) this.#change(client, entry, 0);
      },
    };
  }

  #change(key: ClientKey, entry: Entry, bytes: number): void {
    const client = this.#clients.get(key) ?? { bytes: 0, entries: new Set() };
    const difference = bytes - entry.bytes;
    entry.bytes = bytes;
    client.bytes += difference;
    this.#bytes += difference;
    if (bytes === 0) client.entries.delete(entry);
    else client.entries.add(entry);
    if (client.entries.size === 0) this.#clients.delete(key);
    else this.#clients.set(key, client);
  }

  #enforce(key: ClientKey): void {
    while ((this.#clients.get(key)?.bytes ?? 0) > this.#limits.perClient) this.#endFirst(key);
    while (this.#bytes > this.#limits.all) this.#endFirst(this.#holdingMost());
  }

  #holdingMost(): ClientKey {
    const bySite = new Map<string, { bytes: number; client: ClientKey; ofClient: number }>();
    let most = { bytes: 0, client: "", ofClient: 0 };
    for (const [client, { bytes }] of this.#clients) {
      const name = queueKeyOf(client);
      const site = bySite.get(name) ?? { bytes: 0, client, ofClient: 0 };
      bySite.set(name, site);
      site.bytes += bytes;
      if (bytes > site.ofClient) Object.assign(site, { client, ofClient: bytes });
      if (site.bytes > most.bytes) most = site;
    }
    return most.client;
  }

  #endFirst(key: ClientKey): void {
    let first: Entry | undefined;
    for (const entry of this.#clients.get(key)?.entries ?? []) {
      if (first === undefined || entry.bytes > first.bytes) first = entry;
      if (this.#first === "oldest") break;
    }
    if (first === undefined) return;
    this.#change(key, first, 0);
    first.end();
  }
}
