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
  readonly key: ClientKey;
  bytes: number;
  readonly entries: Set<Entry>;
  readonly site: Site;
}

interface Site {
  readonly key: ClientKey;
  bytes: number;
  /** Clients that hold memory. */
  readonly clients: Set<Client>;
}

export class HeldBytes {
  readonly #limits: HeldBytesLimits;
  readonly #first: "largest" | "oldest";
  readonly #clients = new Map<ClientKey, Client>();
  /** Kept with each change: summing over thousands of clients at each end would take milliseconds. */
  readonly #sites = new Map<ClientKey, Site>();
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
    const client = this.#clients.get(key) ?? this.#add(key);
    const difference = bytes - entry.bytes;
    entry.bytes = bytes;
    client.bytes += difference;
    client.site.bytes += difference;
    this.#bytes += difference;
    if (bytes === 0) client.entries.delete(entry);
    else client.entries.add(entry);
    if (client.entries.size === 0) this.#remove(client);
  }

  #add(key: ClientKey): Client {
    const siteKey = queueKeyOf(key);
    const site = this.#sites.get(siteKey) ?? { key: siteKey, bytes: 0, clients: new Set() };
    const client = { key, bytes: 0, entries: new Set<Entry>(), site };
    this.#clients.set(key, client);
    this.#sites.set(siteKey, site);
    site.clients.add(client);
    return client;
  }

  #remove(client: Client): void {
    const { key, site } = client;
    this.#clients.delete(key);
    site.clients.delete(client);
    if (site.clients.size === 0) this.#sites.delete(site.key);
  }

  #enforce(key: ClientKey): void {
    const client = this.#clients.get(key);
    while (client !== undefined && client.bytes > this.#limits.perClient) this.#endFirst(client);
    while (this.#bytes > this.#limits.all) this.#endFirst(this.#largestHolder());
  }

  #largestHolder(): Client {
    return mostOf(mostOf(this.#sites.values()).clients);
  }

  #endFirst(client: Client): void {
    let first: Entry | undefined;
    for (const entry of client.entries) {
      if (first === undefined || entry.bytes > first.bytes) first = entry;
      if (this.#first === "oldest") break;
    }
    if (first === undefined) return;
    this.#change(client.key, first, 0);
    first.end();
  }
}

/** The holder of the most memory, of at least one. */
function mostOf<T extends { readonly bytes: number }>(holders: Iterable<T>): T {
  let most: T | undefined;
  for (const holder of holders) {
    if (most === undefined || holder.bytes > most.bytes) most = holder;
  }
  if (most === undefined) throw new Error("nothing is held");
  return most;
}
