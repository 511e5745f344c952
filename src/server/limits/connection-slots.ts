/**
 * Limits the number of WebSocket connections, and chooses which one is closed for a new one. First
 * a connection that has not begun to speak the protocol; then, of the site (client-key.ts) with the
 * most connections, the visitor silent longest; then one of the user with by far the most
 * connections. So a new client finds a slot while another holds more than its share, however many
 * addresses an attacker has.
 */
import { networkOf, siteOf } from "./client-key.ts";

/** Connections that one user may keep: pages and programs reasonably open at once. */
const PER_USER_KEPT = 16;
/** Connections that users of one site may keep, such as a household or a small office. */
const PER_SITE_KEPT = 64;

export interface Occupant {
  readonly address: string;
  /** The user's id; undefined for a visitor. */
  readonly userId: string | undefined;
  /** Whether the client has sent a first message of the protocol. */
  readonly hasReceived: boolean;
  /** When the last message arrived; until then when the connection was opened. */
  readonly lastMessageMs: number;
  /** Closes the connection and asks the client to retry later. */
  evict(): void;
}

export interface ConnectionSlotLimits {
  readonly all: number;
  readonly perAddress: number;
}

/** The network and site of a connection; computed once, as there may be thousands to compare. */
interface Origin {
  readonly network: string;
  readonly site: string;
}

export class ConnectionSlots {
  readonly #limits: ConnectionSlotLimits;
  /** The connections in order of arrival. */
  readonly #occupants = new Map<Occupant, Origin>();
  readonly #byNetwork = new Map<string, Set<Occupant>>();
  readonly #bySite = new Map<string, Set<Occupant>>();

  constructor(limits: ConnectionSlotLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#occupants.size;
  }

  /** Closes another connection if the limits require it; returns false if none can be freed. */
  makeRoom(address: string): boolean {
    const neighbours = this.#byNetwork.get(networkOf(address));
    if (neighbours !== undefined && neighbours.size >= this.#limits.perAddress) {
      return this.#end(firstSilent(neighbours));
    }
    if (this.#occupants.size < this.#limits.all) return true;
    const site = siteOf(address);
    return this.#end(
      firstSilent(this.#occupants.keys()) ??
        this.#idlestOfLargestSite(site, ({ userId }) => userId === undefined) ??
        this.#idlestOfLargestUser() ??
        // A site may have any number of users.
        this.#idlestOfLargestSite(site, () => true, PER_SITE_KEPT),
    );
  }

  add(occupant: Occupant): void {
    const { address } = occupant;
    const origin = { network: networkOf(address), site: siteOf(address) };
    this.#occupants.set(occupant, origin);
    addToGroup(this.#byNetwork, origin.network, occupant);
    addToGroup(this.#bySite, origin.site, occupant);
  }

  /** Removes a connection; does nothing if it is already removed. */
  remove(occupant: Occupant): void {
    const origin = this.#occupants.get(occupant);
    if (origin === undefined) return;
    this.#occupants.delete(occupant);
    removeFromGroup(this.#byNetwork, origin.network, occupant);
    removeFromGroup(this.#bySite, origin.site, occupant);
  }

  [Symbol.iterator](): IterableIterator<Occupant> {
    return this.#occupants.keys();
  }

  #end(occupant: Occupant | undefined): boolean {
    if (occupant === undefined) return false;
    this.remove(occupant);
    occupant.evict();
    return true;
  }

  /**
   * The connection silent longest of the site with the most connections, if that site has more than
   * the new connection's site would have.
   * @param newcomer site of the new connection
   * @param kept sites with up to this many connections lose none
   */
  #idlestOfLargestSite(
    newcomer: string,
    isCandidate: (occupant: Occupant) => boolean,
    kept = 0,
  ): Occupant | undefined {
    const most = Math.max(kept, (this.#bySite.get(newcomer)?.size ?? 0) + 1);
    const larger = [...this.#bySite.values()].filter(({ size }) => size > most);
    for (const occupants of larger.toSorted((left, right) => right.size - left.size)) {
      const longest = idlestOf(occupants, isCandidate);
      if (longest !== undefined) return longest;
    }
    return undefined;
  }

  #idlestOfLargestUser(): Occupant | undefined {
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
    return idlestOf(this.#occupants.keys(), ({ userId }) => userId === most);
  }
}

function addToGroup(groups: Map<string, Set<Occupant>>, name: string, occupant: Occupant): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, new Set([occupant]));
  else group.add(occupant);
}

function removeFromGroup(
  groups: Map<string, Set<Occupant>>,
  name: string,
  occupant: Occupant,
): void {
  const group = groups.get(name);
  group?.delete(occupant);
  if (group?.size === 0) groups.delete(name);
}

function firstSilent(occupants: Iterable<Occupant>): Occupant | undefined {
  for (const occupant of occupants) if (!occupant.hasReceived) return occupant;
  return undefined;
}

function idlestOf(
  occupants: Iterable<Occupant>,
  isCandidate: (occupant: Occupant) => boolean,
): Occupant | undefined {
  let longest: Occupant | undefined;
  for (const occupant of occupants) {
    if (!isCandidate(occupant)) continue;
    if (longest === undefined || occupant.lastMessageMs < longest.lastMessageMs) {
      longest = occupant;
    }
  }
  return longest;
}
