/**
 * Limits the share of the event loop that visitors of all addresses use together. Each of very many
 * addresses may stay below the limit of one client; without this limit, their sum would leave no time
 * for signed-in users, who are not counted here.
 *
 * Once the visitors' share is used up, all visitors wait for their turns. Two of three turns go to the
 * sites (client-key.ts) for which least was done recently, so that a person who opens a page hardly
 * waits for a crowd that keeps sending requests; the third goes to the site that has waited longest. A
 * network with thousands of addresses has no more turns than one with a single one.
 */
import { type ClientKey, siteOfVisitor } from "./client-key.ts";
import { RecentWork } from "./recent-work.ts";

/** The visitors' share of the event loop. */
const SHARE = 0.5;
/** Work that visitors may have done at once, beyond their share. */
const BURST_MS = 100;
/** However long one task for a visitor took, other visitors wait for no more than this. */
const DEBT_MS_MAX = 200;
const TURN_MS = 5;
/** Sites are compared by the powers of two of their recent work: 0 to 1 ms, to 2, to 4 … */
const LEVELS = 14;
const LEAST_IN_ROW_MAX = 2;
const SWEEP_AT = 1_000;
/** Sites with less recent work than this are forgotten. */
const FORGOTTEN_MS = 0.1;

export interface VisitorPoolOptions {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Does the next of the client's waiting tasks. Returns whether more of them wait. */
  readonly serve: (client: ClientKey) => boolean;
}

interface WaitingSite {
  readonly sinceMs: number;
  readonly clients: Set<ClientKey>;
}

export class VisitorPool {
  readonly #options: VisitorPoolOptions;
  readonly #recent = new Map<string, RecentWork>();
  /** Waiting sites by the level of their recent work on arrival; the longest waiting first. */
  readonly #levels = Array.from({ length: LEVELS }, () => new Map<string, WaitingSite>());
  readonly #levelOf = new Map<string, Map<string, WaitingSite>>();
  /** Work beyond the share, as of `#atMs`. */
  #debtMs = 0;
  #atMs = 0;
  #leastInRow = 0;
  #sweepAt = SWEEP_AT;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: VisitorPoolOptions) {
    this.#options = options;
  }

  /** Whether a visitor has to wait: the share is used up, or others wait already. */
  get mustWait(): boolean {
    return this.#levelOf.size > 0 || this.#isExhausted;
  }

  get #isExhausted(): boolean {
    // The debt only shrinks here, so there is usually no need to look at the clock.
    return this.#debtMs > BURST_MS && this.#debtAt(this.#options.now()) > BURST_MS;
  }

  /** Counts work that was done for a visitor. */
  charge(client: ClientKey, spentMs: number, nowMs = this.#options.now()): void {
    this.#debtMs = Math.min(DEBT_MS_MAX, this.#debtAt(nowMs) + spentMs);
    this.#atMs = nowMs;
    this.#recentOf(siteOfVisitor(client)).add(spentMs, nowMs);
  }

  /** Has the client served in its site's turn; does nothing if it waits already. */
  wait(client: ClientKey): void {
    const site = siteOfVisitor(client);
    const waiting = this.#levelOf.get(site)?.get(site);
    if (waiting === undefined) this.#add(site, new Set([client]));
    else waiting.clients.add(client);
    this.#serveLater();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#levelOf.clear();
    for (const level of this.#levels) level.clear();
  }

  #debtAt(nowMs: number): number {
    return Math.max(0, this.#debtMs - (nowMs - this.#atMs) * SHARE);
  }

  #serveLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#serveInTurn();
    }, TURN_MS);
  }

  #serveInTurn(): void {
    while (!this.#isExhausted) {
      const client = this.#takeNext();
      if (client === undefined) return;
      if (this.#options.serve(client)) this.wait(client);
    }
    if (this.#levelOf.size > 0) this.#serveLater();
  }

  #takeNext(): ClientKey | undefined {
    const [least, ...others] = this.#levels.filter(({ size }) => size > 0);
    if (least === undefined) return undefined;
    const isOldestsTurn = this.#leastInRow >= LEAST_IN_ROW_MAX;
    this.#leastInRow = isOldestsTurn ? 0 : this.#leastInRow + 1;
    const [site, { clients }] = isOldestsTurn ? oldestOf([least, ...others]) : firstOf(least);
    const [client] = clients;
    clients.delete(client);
    this.#levelOf.get(site)?.delete(site);
    this.#levelOf.delete(site);
    // The site's other clients wait for its next turn.
    if (clients.size > 0) this.#add(site, clients);
    return client;
  }

  #add(site: string, clients: Set<ClientKey>): void {
    const nowMs = this.#options.now();
    const recentMs = this.#recent.get(site)?.msAt(nowMs) ?? 0;
    const exponent = Math.ceil(Math.log2(Math.max(1, recentMs)));
    const level = this.#levels[Math.min(LEVELS - 1, exponent)];
    level.set(site, { sinceMs: nowMs, clients });
    this.#levelOf.set(site, level);
  }

  #recentOf(site: string): RecentWork {
    const known = this.#recent.get(site);
    if (known !== undefined) return known;
    if (this.#recent.size >= this.#sweepAt) this.#sweep();
    const recent = new RecentWork();
    this.#recent.set(site, recent);
    return recent;
  }

  #sweep(): void {
    const nowMs = this.#options.now();
    for (const [site, recent] of this.#recent) {
      if (recent.msAt(nowMs) < FORGOTTEN_MS) this.#recent.delete(site);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#recent.size);
  }
}

/** @param level not empty */
function firstOf(level: ReadonlyMap<string, WaitingSite>): [string, WaitingSite] {
  const [first] = level;
  return first;
}

function oldestOf(levels: readonly ReadonlyMap<string, WaitingSite>[]): [string, WaitingSite] {
  return levels
    .map(firstOf)
    .reduce((oldest, each) => (each[1].sinceMs < oldest[1].sinceMs ? each : oldest));
}
