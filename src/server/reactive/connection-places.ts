/**
 * Which reactive connections are closed when there are too many. A connection without an identity
 * goes first; then the site (client-key.ts) with the most visitors loses the one silent longest,
 * and the user with by far the most connections one of theirs. So a newcomer finds a place while
 * another client holds more than its share, however many addresses an attacker has.
 */
import { networkOf, siteOf } from "../limits/client-key.ts";

/** Pages and programs that one person may reasonably have open at once. */
const PER_USER_KEPT = 16;

export interface Occupant {
  readonly address: string;
  /** Undefined for a visitor. */
  readonly userId: string | undefined;
  /** Whether it has begun to speak the protocol. */
  readonly hasSpoken: boolean;
  /** When its last message came, or when it was opened. */
  readonly lastMessageMs: number;
  /** Tells the client to retry later. */
  giveUpPlace(): void;
}

export interface ConnectionPlacesLimits {
  readonly all: number;
  readonly perAddress: number;
}

export class ConnectionPlaces {
  readonly #limits: ConnectionPlacesLimits;
  /** In order of arrival. */
  readonly #occupants = new Set<Occupant>();
  readonly #countByNetwork = new Map<string, number>();

  constructor(limits: ConnectionPlacesLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#occupants.size;
  }

  /** Closes another connection if it must. False if the address, or the server, has no place left. */
  makeRoom(address: string): boolean {
    const network = networkOf(address);
    const count = this.#countByNetwork.get(network) ?? 0;
    if (count >= this.#limits.perAddress) {
      return this.#end(this.#silentOf(({ address: other }) => networkOf(other) === network));
    }
    if (this.#occupants.size < this.#limits.all) return true;
    return this.#end(
      this.#silentOf(() => true) ?? this.#visitorOfMost(address) ?? this.#userOfMost(),
    );
  }

  add(occupant: Occupant): void {
    this.#occupants.add(occupant);
    this.#change(networkOf(occupant.address), 1);
  }

  /** Idempotent. */
  remove(occupant: Occupant): void {
    if (this.#occupants.delete(occupant)) this.#change(networkOf(occupant.address), -1);
  }

  [Symbol.iterator](): IterableIterator<Occupant> {
    return this.#occupants.values();
  }

  #change(network: string, by: 1 | -1): void {
    const count = (this.#countByNetwork.get(network) ?? 0) + by;
    if (count === 0) this.#countByNetwork.delete(network);
    else this.#countByNetwork.set(network, count);
  }

  #end(occupant: Occupant | undefined): boolean {
    if (occupant === undefined) return false;
    this.remove(occupant);
    occupant.giveUpPlace();
    return true;
  }

  #silentOf(isMeant: (occupant: Occupant) => boolean): Occupant | undefined {
    for (const occupant of this.#occupants) {
      if (!occupant.hasSpoken && isMeant(occupant)) return occupant;
    }
    return undefined;
  }

  #visitorOfMost(newcomer: string): Occupant | undefined {
    const counts = this.#countsBy(({ address }) => siteOf(address));
    const site = this.#largest(
      ({ userId, address }) => (userId === undefined ? siteOf(address) : undefined),
      counts,
    );
    const newcomers = (counts.get(siteOf(newcomer)) ?? 0) + 1;
    if (site === undefined || (counts.get(site) ?? 0) <= newcomers) return undefined;
    return this.#quietest(
      ({ userId, address }) => userId === undefined && siteOf(address) === site,
    );
  }

  #userOfMost(): Occupant | undefined {
    const counts = this.#countsBy(({ userId }) => userId);
    const user = this.#largest(({ userId }) => userId, counts);
    if (user === undefined || (counts.get(user) ?? 0) <= PER_USER_KEPT) return undefined;
    return this.#quietest(({ userId }) => userId === user);
  }

  #countsBy(nameOf: (occupant: Occupant) => string | undefined): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const occupant of this.#occupants) {
      const name = nameOf(occupant);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  #largest(
    nameOf: (occupant: Occupant) => string | undefined,
    counts: ReadonlyMap<string, number>,
  ): string | undefined {
    let largest: string | undefined;
    let most = 0;
    for (const occupant of this.#occupants) {
      const name = nameOf(occupant);
      if (name === undefined || (counts.get(name) ?? 0) <= most) continue;
      largest = name;
      most = counts.get(name) ?? 0;
    }
    return largest;
  }

  #quietest(isMeant: (occupant: Occupant) => boolean): Occupant | undefined {
    let quietest: Occupant | undefined;
    for (const occupant of this.#occupants) {
      if (!isMeant(occupant)) continue;
      if (quietest === undefined || occupant.lastMessageMs < quietest.lastMessageMs) {
        quietest = occupant;
      }
    }
    return quietest;
  }
}
