/**
 * The fees with which an order is placed: the market's own if it has any, else the highest fee tier of the
 * plan's volume ladder that the account has reached, else the plan's. Volume is the notional that the
 * account traded on the 30 UTC days before today, on either side, in markets quoted in the settlement
 * coin.
 *
 * The hot path reads one number, cached with the account until the next day or a change of plan.
 * Nothing here moves money.
 */
import type { Accounts } from "./accounts.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { Catalogue } from "../markets/catalogue.ts";
import { FEE_SOURCE_PLAN, FEE_SOURCE_VOLUME, packFees, type PackedFees } from "./packed-fees.ts";

export class FeeTiers {
  /** The current UTC day; day 1 is 1 January 1970. */
  today = 0;
  readonly #accounts: Accounts;
  readonly #catalogue: Catalogue;
  #tomorrowMs = 0;
  /** Incremented whenever cached fees may be stale; never 0. */
  #key = 1;

  constructor(accounts: Accounts, catalogue: Catalogue) {
    this.#accounts = accounts;
    this.#catalogue = catalogue;
  }

  /** Must run first in every command; time never runs backwards. */
  advance(nowMs: number): void {
    if (nowMs < this.#tomorrowMs) return;
    this.today = Math.floor(nowMs / DAY_MS) + 1;
    this.#tomorrowMs = this.today * DAY_MS;
    this.#key++;
  }

  /** Invalidates cached fees after a plan was redefined. */
  plansChanged(): void {
    this.#key++;
  }

  /** The packed fees of the account's plan and volume. */
  feesOf(account: number): PackedFees {
    return this.#accounts.keptFees(account, this.#key) || this.#lookUp(account);
  }

  /**
   * Counts a trade towards the account's volume, whether it bought or sold; `notional` is in units
   * of the settlement coin.
   */
  addVolume(account: number, notional: number): void {
    this.#accounts.addVolume(account, this.today, notional);
  }

  /** The account's 30-day volume that counts today. */
  volumeOf(account: number): number {
    return this.#accounts.volumeBefore(account, this.today);
  }

  #lookUp(account: number): PackedFees {
    const terms = this.#catalogue.planTerms(this.#accounts.planOf(account));
    let { makerFeeBps, takerFeeBps } = terms;
    let source: number = FEE_SOURCE_PLAN;
    // Volumes are counted in the settlement coin, so a ladder in another coin never applies.
    if (terms.ladder.length > 0 && terms.currencyId === this.#catalogue.settlementId) {
      const volume = this.volumeOf(account);
      for (const tier of terms.ladder) {
        if (tier.volumeMin > volume) break;
        ({ makerFeeBps, takerFeeBps } = tier);
        source = FEE_SOURCE_VOLUME;
      }
    }
    const fees = packFees(makerFeeBps, takerFeeBps, source);
    this.#accounts.keepFees(account, this.#key, fees);
    return fees;
  }
}
