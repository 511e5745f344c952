/**
 * The cost and profit of each person's coins, in settlement units, by average cost. Buying costs the
 * amount paid for the quantity received after the fee; selling earns the amount received after the fee
 * less the average cost of the quantity sold. So at any moment, exactly:
 *
 *   equity = deposited + realised profits + unrealised profits - fees of plans and withdrawals
 *
 * An adjustment counts as a deposit, or as a withdrawal if negative.
 */
import type { EventOf } from "#engine/events.ts";
import { acquireUnits, disposeOfUnits, type Position } from "../records/cost-basis.ts";
import type { Candles } from "./candles.ts";
import type { Catalogue, MarketView } from "./catalogue.ts";
import { EquityHistory, type EquityPoint } from "./equity-history.ts";
import type { LedgerAccounts } from "./ledger-accounts.ts";
import { quoteValue, type Valuation } from "./valuation.ts";

interface PositionView extends Readonly<Position> {
  readonly assetId: number;
}

export interface PortfolioView {
  /** Settlement units, at the last prices; coins without a price count as zero. */
  readonly equity: bigint;
  readonly deposited: bigint;
  /** Valued at the prices of the fills; includes the cost of plans. */
  readonly feesPaid: bigint;
  /** Every coin ever owned, except the settlement coin. */
  readonly positions: readonly PositionView[];
  /** Change of the equity over 24 hours, without deposits. */
  readonly dayChange: bigint;
  /** Equity 24 hours ago plus deposits since then. */
  readonly dayBase: bigint;
}

class Portfolio {
  positions: (Position | undefined)[] = [];
  deposited = 0n;
  feesPaid = 0n;
  readonly history = new EquityHistory();
  /** The times of the past curve's points; it begins later if nothing was owned. */
  pastTimes: readonly number[] = [];
  pastCurve: readonly EquityPoint[] = [];

  position(assetId: number): Position {
    return (this.positions[assetId] ??= { quantity: 0, cost: 0n, realisedProfit: 0n });
  }

  state() {
    return {
      positions: this.positions,
      deposited: this.deposited,
      feesPaid: this.feesPaid,
      history: this.history.state(),
    };
  }

  restore(state: ReturnType<Portfolio["state"]>): void {
    this.positions = state.positions;
    this.deposited = state.deposited;
    this.feesPaid = state.feesPaid;
    this.history.restore(state.history);
  }
}

interface Sources {
  readonly accounts: LedgerAccounts;
  readonly candles: Candles;
  readonly catalogue: Catalogue;
  readonly settlementCoin: string;
  readonly valuation: Valuation;
  nowMs(): number;
}

const DAY_MS = 86_400_000;

export class Portfolios {
  readonly #views: Sources;
  readonly #portfolios: (Portfolio | undefined)[] = [];

  constructor(views: Sources) {
    this.#views = views;
  }

  /** The account's total in settlement units at the last prices. */
  equity(account: number): bigint {
    let equity = 0n;
    for (const { assetId } of this.#views.catalogue.coins()) {
      const units = this.#views.accounts.total(account, assetId);
      if (units !== 0) equity += this.#views.valuation.valueOf(assetId, units) ?? 0n;
    }
    return equity;
  }

  /** Undefined for accounts that do not belong to a user. */
  portfolio(account: number): PortfolioView | undefined {
    const portfolio = this.#portfolios[account];
    if (portfolio === undefined) return undefined;
    const equity = this.equity(account);
    const dayAgo = portfolio.history.at(this.#views.nowMs() - DAY_MS);
    const equityThen = dayAgo === undefined ? 0n : this.#equityOf(dayAgo.totals, dayAgo.timeMs);
    const depositedSince = portfolio.deposited - (dayAgo?.deposited ?? 0n);
    const dayBase = equityThen + depositedSince;
    const positions = portfolio.positions.flatMap((position, assetId): PositionView[] =>
      position === undefined ? [] : [{ assetId, ...position }],
    );
    return {
      equity,
      deposited: portfolio.deposited,
      feesPaid: portfolio.feesPaid,
      positions,
      dayChange: equity - dayBase,
      dayBase,
    };
  }

  /**
   * Equity over time in whole coins, oldest first, the present last; for drawing only. Begins with the
   * first funds.
   */
  curve(account: number): EquityPoint[] {
    const portfolio = this.#portfolios[account];
    const opened = this.#views.accounts.account(account);
    if (portfolio === undefined || opened === undefined) return [];
    const nowMs = this.#views.nowMs();
    const present = { time: nowMs, equity: this.#coins(this.equity(account)) };
    const past = this.#pastCurve(portfolio, opened.openedAtMs, nowMs);
    if (past.length > 0) return [...past, present];
    return this.#ownsAnything(account) ? [...this.#firstPoint(portfolio, nowMs), present] : [];
  }

  /** The point of the newest change, for a curve whose first regular point is yet to come. */
  #firstPoint({ history }: Portfolio, nowMs: number): readonly EquityPoint[] {
    const newest = history.at(nowMs);
    if (newest === undefined || newest.timeMs === nowMs) return [];
    const { timeMs, totals } = newest;
    return [{ time: timeMs, equity: this.#coins(this.#equityOf(totals, timeMs)) }];
  }

  /** Past points do not change, so they are recomputed only when a new one is due. */
  #pastCurve(portfolio: Portfolio, openedAtMs: number, nowMs: number): readonly EquityPoint[] {
    const times = portfolio.history.times(openedAtMs, nowMs);
    const { pastTimes } = portfolio;
    const isKnown =
      pastTimes.length === times.length &&
      pastTimes[0] === times[0] &&
      pastTimes.at(-1) === times.at(-1);
    if (isKnown) return portfolio.pastCurve;
    const moments = times.map((time) => ({ time, totals: portfolio.history.at(time)?.totals }));
    const first = moments.findIndex(({ totals }) => totals?.some((units) => units !== 0));
    portfolio.pastTimes = times;
    portfolio.pastCurve = (first === -1 ? [] : moments.slice(first)).map(({ time, totals }) => ({
      time,
      equity: this.#coins(totals ? this.#equityOf(totals, time) : 0n),
    }));
    return portfolio.pastCurve;
  }

  #ownsAnything(account: number): boolean {
    return this.#views.catalogue
      .coins()
      .some(({ assetId }) => this.#views.accounts.total(account, assetId) !== 0);
  }

  foldOpened(event: EventOf<"accountOpened">): void {
    this.#portfolios[event.account] = new Portfolio();
  }

  state() {
    return this.#portfolios.map((portfolio) => portfolio?.state());
  }

  restore(state: ReturnType<Portfolios["state"]>): void {
    state.forEach((kept, account) => {
      if (kept === undefined) return;
      const portfolio = new Portfolio();
      portfolio.restore(kept);
      this.#portfolios[account] = portfolio;
    });
  }

  /** @param amount negative for a withdrawal */
  foldDeposit(account: number, assetId: number, amount: number): void {
    const portfolio = this.#portfolios[account];
    if (portfolio === undefined) return;
    const value = this.#quoteWorth(assetId, Math.abs(amount));
    portfolio.deposited += amount < 0 ? -value : value;
    if (!this.#isForeign(assetId)) return;
    if (amount < 0) disposeOfUnits(portfolio.position(assetId), 0 - amount, value);
    else acquireUnits(portfolio.position(assetId), amount, value);
  }

  /** A fee that the account paid to the exchange, for a plan or a withdrawal. */
  foldFee(account: number, assetId: number, amount: number): void {
    const portfolio = this.#portfolios[account];
    if (portfolio === undefined || amount === 0) return;
    const value = this.#quoteWorth(assetId, amount);
    portfolio.feesPaid += value;
    if (this.#isForeign(assetId)) disposeOfUnits(portfolio.position(assetId), amount, value);
  }

  foldTraded(event: EventOf<"traded">, market: MarketView): void {
    const takerBuys = event.takerSide === "buy";
    const { makerAccount, takerAccount, makerFee, takerFee } = event;
    const buyer = this.#portfolios[takerBuys ? takerAccount : makerAccount];
    const seller = this.#portfolios[takerBuys ? makerAccount : takerAccount];
    const buyerFee = takerBuys ? takerFee : makerFee;
    const sellerFee = takerBuys ? makerFee : takerFee;
    const { baseAssetId, quoteAssetId } = market;
    const value = this.#quoteWorth(quoteAssetId, event.notional);
    if (buyer !== undefined) {
      acquireUnits(buyer.position(baseAssetId), event.baseAmount - buyerFee, value);
      const fee = quoteValue(market, buyerFee, event.priceTicks);
      buyer.feesPaid += this.#quoteWorth(quoteAssetId, Number(fee));
      if (this.#isForeign(quoteAssetId)) {
        disposeOfUnits(buyer.position(quoteAssetId), event.notional, value);
      }
    }
    if (seller !== undefined) {
      const feeValue = this.#quoteWorth(quoteAssetId, sellerFee);
      disposeOfUnits(seller.position(baseAssetId), event.baseAmount, value - feeValue);
      seller.feesPaid += feeValue;
      if (this.#isForeign(quoteAssetId)) {
        acquireUnits(seller.position(quoteAssetId), event.notional - sellerFee, value - feeValue);
      }
    }
  }

  /** Records the account's present totals, for later equity curves. */
  keep(account: number, timestampMs: number): void {
    const portfolio = this.#portfolios[account];
    if (portfolio === undefined) return;
    const totals = this.#views.catalogue
      .coins()
      .map(({ assetId }) => this.#views.accounts.total(account, assetId));
    portfolio.history.keep(timestampMs, totals, portfolio.deposited);
  }

  #isForeign(assetId: number): boolean {
    return assetId !== this.#views.valuation.settlementAssetId;
  }

  /**
   * The value of an amount in a market's quote coin; quotes other than the settlement coin are valued
   * at their last price.
   */
  #quoteWorth(assetId: number, amount: number): bigint {
    return this.#views.valuation.valueOf(assetId, amount) ?? 0n;
  }

  /** @param totals by asset id, from 1 */
  #equityOf(totals: readonly number[], timeMs: number): bigint {
    const { candles, valuation } = this.#views;
    let equity = 0n;
    totals.forEach((units, index) => {
      if (units === 0) return;
      const assetId = index + 1;
      if (assetId === valuation.settlementAssetId) {
        equity += BigInt(units);
        return;
      }
      const market = valuation.marketOf(assetId);
      if (market === undefined) return;
      const ticks =
        candles.closeBefore(market.marketId, "1m", timeMs) ||
        candles.closeBefore(market.marketId, "1h", timeMs) ||
        candles.closeBefore(market.marketId, "1d", timeMs);
      equity += quoteValue(market, units, ticks);
    });
    return equity;
  }

  /** Converts to whole coins, for drawing only. */
  #coins(settlementUnits: bigint): number {
    const { catalogue, settlementCoin } = this.#views;
    const scale = catalogue.coinBySymbol(settlementCoin)?.definition.scale ?? 0;
    return Number(settlementUnits) / 10 ** scale;
  }
}
