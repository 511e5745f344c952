/**
 * Decides which node tries to lead. The leader renews an entry that all nodes see; a node takes the entry
 * when it has not changed for the length of a lease, by this node's own steady clock, or when the leader
 * has released it. So the clocks of the nodes need not agree.
 *
 * The entry only decides who tries. That two nodes never lead is ensured by the journal: the leader has
 * taken its next term, and nothing of an earlier term is appended after that. A leader that cannot renew its
 * entry therefore leads on, until it sees another node's entry or the journal refuses its commands.
 */

/** The leader's announcement to the other nodes, several times per lease. */
export interface LeaseRecord {
  /** The id of the node that leads, or is about to. */
  readonly node: string;
  /** The term that it leads; before it has taken one, the newest that it knows. */
  readonly term: number;
  /** Its newest durable sequence. */
  readonly sequence: number;
  /** True if the node no longer leads, so that another need not wait. */
  readonly isReleased: boolean;
}

export interface LeaseEntry {
  readonly record: LeaseRecord;
  /** The revision of the entry; every change increases it. */
  readonly revision: number;
}

/** The entry, shared by all nodes. */
export interface LeaseStore {
  /** Undefined if there is none yet. The value may be out of date. */
  read(): Promise<LeaseEntry | undefined>;
  /**
   * Replaces the entry of this revision; 0 if there was none.
   * @returns the new revision; undefined if the entry has another revision
   */
  write(record: LeaseRecord, revision: number): Promise<number | undefined>;
}

export interface LeadershipOptions {
  readonly node: string;
  readonly store: LeaseStore;
  /** A steady clock, in milliseconds. */
  readonly now: () => number;
  /** Whether this node could lead at once. */
  readonly isCandidate: () => boolean;
  /** The newest term and sequence of this node. */
  readonly position: () => { readonly term: number; readonly sequence: number };
  /** Takes the next term; `onLeading` or `onFollowing` must be called with the outcome. */
  readonly lead: () => void;
  /** Stops leading; `onFollowing` must be called. */
  readonly stepDown: () => void;
  readonly leaseMs?: number;
}

/** How long a lease lasts that is not renewed. */
const LEASE_MS = 1_500;
/** How often `beat` should be called. */
export const BEAT_MS = 250;
/** How long a node that has stepped down leaves the lead to others. */
const ABSTAIN_MS = 5_000;
/** The same for a node that could not lead: perhaps the stream had no leader, and no other could either. */
const FAILED_ABSTAIN_MS = 1_000;
/** How long a node may hold the lease that tries to lead: one that hangs must not keep all others from it. */
const TAKING_MS_MAX = 30_000;

export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #leaseMs: number;
  #state: "following" | "taking" | "leading" = "following";
  #takingSinceMs = 0;
  /** The revision of this node's own entry, while it has one. */
  #own: number | undefined;
  /** The newest revision that this node has written. */
  #written = 0;
  #newest: LeaseEntry | undefined;
  /** Since when the entry is known to be unchanged, and when that was last seen. */
  #unchanged = { revision: -1, sinceMs: 0, seenMs: -Infinity };
  #abstainsUntilMs = -Infinity;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  /** The newest entry that this node has seen or written. */
  get newest(): LeaseRecord | undefined {
    return this.#newest?.record;
  }

  /** When the entry was last seen or written, by the steady clock. */
  get seenMs(): number {
    return this.#unchanged.seenMs;
  }

  /** Call every BEAT_MS, but not before the last call has ended. @throws as the store does */
  async beat(): Promise<void> {
    if (this.#own !== undefined && (await this.#renew(this.#own))) return;
    const askedMs = this.#options.now();
    const entry = this.#newestOf(await this.#options.store.read());
    this.#observe(entry, askedMs);
    if (this.#isReplaced(entry)) {
      // Without commands this node would not notice that the journal has another leader.
      this.#options.stepDown();
      return;
    }
    if (this.#triesTooLong()) return;
    if (this.#isOwner(entry) || this.#isFree(entry, askedMs)) {
      await this.#take(entry?.revision ?? 0);
    }
  }

  onLeading(): void {
    this.#state = "leading";
  }

  /** Called when this node does not lead, or no longer leads. */
  onFollowing(): void {
    const hadTried = this.#state === "taking";
    this.#state = "following";
    if (hadTried) this.abstain(FAILED_ABSTAIN_MS);
  }

  /** Leaves the lead to others for a while, in milliseconds. */
  abstain(ms = ABSTAIN_MS): void {
    this.#abstainsUntilMs = this.#options.now() + ms;
  }

  /** Releases the lease, so that another node need not wait. @throws as the store does */
  async release(): Promise<void> {
    const revision = this.#own;
    this.#own = undefined;
    if (revision === undefined) return;
    await this.#options.store.write({ ...this.#record(), isReleased: true }, revision);
  }

  #record(): LeaseRecord {
    const { node, position } = this.#options;
    return { node, ...position(), isReleased: false };
  }

  /** False if this node's entry was replaced, or is no longer of use. */
  async #renew(revision: number): Promise<boolean> {
    if (this.#state === "following" || this.#triesTooLong()) {
      // Another node need not wait for a lease that this one does not use.
      this.#own = undefined;
      await this.#options.store.write({ ...this.#record(), isReleased: true }, revision);
      return true;
    }
    this.#own = await this.#write(this.#record(), revision);
    return this.#own !== undefined;
  }

  async #take(revision: number): Promise<void> {
    const { isCandidate, lead, now } = this.#options;
    if (this.#state === "following") {
      if (!isCandidate() || now() < this.#abstainsUntilMs) return;
    }
    this.#own = await this.#write(this.#record(), revision);
    // The revisions of a bucket that was created again are lower than those that this node knows.
    if (this.#own === undefined) this.#newest = undefined;
    if (this.#own === undefined || this.#state !== "following") return;
    this.#state = "taking";
    this.#takingSinceMs = now();
    lead();
  }

  #triesTooLong(): boolean {
    const { now } = this.#options;
    return this.#state === "taking" && now() - this.#takingSinceMs > TAKING_MS_MAX;
  }

  async #write(record: LeaseRecord, revision: number): Promise<number | undefined> {
    const written = await this.#options.store.write(record, revision);
    if (written === undefined) return undefined;
    this.#written = written;
    this.#observe({ record, revision: written }, this.#options.now());
    return written;
  }

  /** Any server may answer a read, also one that stays behind: revisions never decrease. */
  #newestOf(read: LeaseEntry | undefined): LeaseEntry | undefined {
    return (read?.revision ?? 0) < (this.#newest?.revision ?? 0) ? this.#newest : read;
  }

  #observe(entry: LeaseEntry | undefined, askedMs: number): void {
    this.#newest = entry;
    const revision = entry?.revision ?? 0;
    const { seenMs } = this.#unchanged;
    // While the entry cannot be read, its owner may be unable to renew it.
    const wasAway = askedMs - seenMs > this.#leaseMs / 2;
    if (revision !== this.#unchanged.revision || wasAway) {
      const nowMs = this.#options.now();
      this.#unchanged = { revision, sinceMs: nowMs, seenMs: nowMs };
    } else {
      this.#unchanged.seenMs = this.#options.now();
    }
  }

  #isReplaced(entry: LeaseEntry | undefined): boolean {
    if (this.#state !== "leading" || entry === undefined) return false;
    // Entries that were written before this node's own ones prove nothing.
    if (entry.revision < this.#written) return false;
    return !this.#isOwner(entry) && !entry.record.isReleased;
  }

  /** Whether the entry should be this node's, although it may not know its revision. */
  #isOwner(entry: LeaseEntry | undefined): boolean {
    if (entry === undefined) return false;
    const { node, term } = entry.record;
    // A node may have written the entry without having received the confirmation.
    if (node === this.#options.node) return true;
    // If two nodes took terms at the same time, the one with the earlier term only learns that from the
    // entry.
    return this.#state === "leading" && term < this.#options.position().term;
  }

  #isFree(entry: LeaseEntry | undefined, askedMs: number): boolean {
    if (entry === undefined || entry.record.isReleased) return true;
    return askedMs - this.#unchanged.sinceMs >= this.#leaseMs;
  }
}
