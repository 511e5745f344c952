/**
 * Which WebSocket connections are closed when there are too many. A connection without an identity
 * goes first; then the site (client-key.ts) with the most visitors loses the one silent longest,
 * and the user with by far the most connections one of theirs. So a newcomer finds a place while
 * another client holds more than its share, however many addresses an attacker has.
 */
import { networkOf, siteOf } from "./client-key.ts";

/** Pages and programs that one person may reasonably have open at once. */
const PER_USER_KEPT = 16;
/** The same of users who share an address, such as a household or a small office. */
const PER_SITE_KEPT = 64;

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

/** Where an occupant connects from; computed once, as there may be thousands to compare. */
interface Origin {
  readonly network: string;
  readonly site: string;
}

export class ConnectionPlaces {
  readonly #limits: ConnectionPlacesLimits;
  /** In order of arrival. */
  readonly #occupants = new Map<Occupant, Origin>();
  readonly #byNetwork = new Map<string, Set<Occupant>>();
  readonly #bySite = new Map<string, Set<Occupant>>();

  constructor(limits: ConnectionPlacesLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#occupants.size;
  }

  /** Closes another connection if it must. False if the address, or the server, has no place left. */
  makeRoom(address: string): boolean {
    const neighbours = this.#byNetwork.get(networkOf(address));
    if (neighbours !== undefined && neighbours.size >= this.#limits.perAddress) {
      return this.#end(silentOf(neighbours));
    }
    if (this.#occupants.size < this.#limits.all) return true;
    const site = siteOf(address);
    return this.#end(
      silentOf(this.#occupants.keys()) ??
        this.#quietestOfMost(site, ({ userId }) => userId === undefined) ??
        this.#userOfMost() ??
        // One site may have any number of users.
        this.#quietestOfMost(site, () => true, PER_SITE_KEPT),
    );
  }

  add(occupant: Occupant): void {
    const { address } = occupant;
    const origin = { network: networkOf(address), site: siteOf(address) };
    this.#occupants.set(occupant, origin);
    put(this.#byNetwork, origin.network, occupant);
    put(this.#bySite, origin.site, occupant);
  }

  /** May be called again for one that has left. */
  remove(occupant: Occupant): void {
    const origin = this.#occupants.get(occupant);
    if (origin === undefined) return;
    this.#occupants.delete(occupant);
    take(this.#byNetwork, origin.network, occupant);
    take(this.#bySite, origin.site, occupant);
  }

  [Symbol.iterator](): IterableIterator<Occupant> {
    return this.#occupants.keys();
  }

  #end(occupant: Occupant | undefined): boolean {
    if (occupant === undefined) return false;
    this.remove(occupant);
    occupant.giveUpPlace();
    return true;
  }

  /**
   * The quietest of the site that has most, if that is more than the newcomer's would have.
   * @param newcomer the site from which another one wants to come
   * @param kept a site with so many gives up none
   */
  #quietestOfMost(
    newcomer: string,
    isMeant: (occupant: Occupant) => boolean,
    kept = 0,
  ): Occupant | undefined {
    const most = Math.max(kept, (this.#bySite.get(newcomer)?.size ?? 0) + 1);
    const larger = [...this.#bySite.values()].filter(({ size }) => size > most);
    for (const occupants of larger.toSorted((left, right) => right.size - left.size)) {
      const quietest = quietestOf(occupants, isMeant);
      if (quietest !== undefined) return quietest;
    }
    return undefined;
  }

  #userOfMost(): Occupant | undefined {
    const counts = new Map<string, number>();
    let most: string | undefined;
    let mostCount = PER_USER_KEPT;
    for (const { userId } of this.#occupants.keys()) {
      if (userId === undefined) continue;
      const count = (counts.get(userId) ?? 0) + 1;
      counts.set(userId, count);
      if (count <= mostCount) continue;
      most = userId;
      mostCount = count;
    }
    if (most === undefined) return undefined;
    return quietestOf(this.#occupants.keys(), ({ userId }) => userId === most);
  }
}

function put(groups: Map<string, Set<Occupant>>, name: string, occupant: Occupant): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, new Set([occupant]));
  else group.add(occupant);
}

function take(groups: Map<string, Set<Occupant>>, name: string, occupant: Occupant): void {
  const group = groups.get(name);
  group?.delete(occupant);
  if (group?.size === 0) groups.delete(name);
}

function silentOf(occupants: Iterable<Occupant>): Occupant | undefined {
  for (const occupant of occupants) if (!occupant.hasSpoken) return occupant;
  return undefined;
}

function quietestOf(
  occupants: Iterable<Occupant>,
  isMeant: (occupant: Occupant) => boolean,
): Occupant | undefined {
  let quietest: Occupant | undefined;
  for (const occupant of occupants) {
    if (!isMeant(occupant)) continue;
    if (quietest === undefined || occupant.lastMessageMs < quietest.lastMessageMs) {
      quietest = occupant;
    }
  }
  return quietest;
}
