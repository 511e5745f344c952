/**
 * The read models: everything shown live, folded from the exchange's events and kept in memory. A fold
 * is synchronous, so a reader sees the state after a complete batch.
 *
 * Topics name the changed state: `catalogue`, `tickers` and `prices` (valuations; both once a second),
 * `adjustments`, `transfers`, `accounts` and `user:<userId>` (an account was opened),
 * `account:<number>` (a person's balances, orders or plan), and per market `book:<id>`, `trades:<id>`
 * and `candles:<id>`.
 */
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { assert } from "#engine/assert.ts";
import { postingsOf } from "#engine/accounts/postings.ts";
import type { Urgency } from "../reactive/executor.ts";
import type { CandleColumns } from "../simulator/candle-history.ts";
import { Adjustments } from "./adjustments.ts";
import { LedgerAccounts } from "./ledger-accounts.ts";
import { Books } from "./books.ts";
import { Candles } from "./candles.ts";
import { Catalogue } from "./catalogue.ts";
import { Changes } from "./changes.ts";
import { HiddenLots } from "./hidden-lots.ts";
import { IndicativeAuctions } from "./indicative-auctions.ts";
import { OpenLists } from "./open-lists.ts";
import { MarketStates } from "./market-states.ts";
import { PersonRecords } from "./person-records.ts";
import { Portfolios } from "./portfolios.ts";
import { PublicTrades } from "./public-trades.ts";
import { Transfers } from "./transfers.ts";
import { Tickers } from "./tickers.ts";
import { Valuation } from "./valuation.ts";
import { Volumes } from "./volumes.ts";

type ChangeListener = (topics: ReadonlyMap<string, Urgency>) => void;

export interface ViewsOptions {
  /** Simulated candles of the time before a market began; if omitted, there are none. */
  readonly simulatedCandles?: (
    seed: number,
    marketSymbol: string,
    startedAtMs: number,
  ) => CandleColumns;
  /** The present in milliseconds since 1970, for time windows that move even without events. */
  readonly now?: () => number;
}

export type ViewsState = ReturnType<Views["state"]>;

export class Views {
  readonly catalogue = new Catalogue();
  readonly books = new Books();
  readonly hiddenLots = new HiddenLots();
  readonly auctions = new IndicativeAuctions(this.books, this.hiddenLots);
  readonly tickers = new Tickers();
  readonly candles = new Candles();
  readonly trades = new PublicTrades();
  readonly accounts = new LedgerAccounts();
  readonly people = new PersonRecords();
  readonly lists = new OpenLists();
  readonly adjustments = new Adjustments();
  readonly transfers = new Transfers();
  readonly marketStates = new MarketStates();
  readonly volumes = new Volumes(this.catalogue);
  readonly valuation = new Valuation(this.catalogue, this.tickers);
  readonly portfolios: Portfolios;
  readonly #simulatedCandles: ViewsOptions["simulatedCandles"];
  readonly #now: () => number;
  readonly #changes = new Changes();
  /** False while more events of the newest sequence follow. */
  #isWhole = true;
  /** True once the simulated market began. */
  isSimulated = false;
  /** The sequence of the newest event; 0 before the first. */
  sequence = 0;
  /** The timestamp of the newest event; 0 before the first. */
  timestampMs = 0;

  constructor(options: ViewsOptions = {}) {
    this.#simulatedCandles = options.simulatedCandles;
    this.#now = options.now ?? (() => 0);
    this.portfolios = new Portfolios(this);
  }

  /** The symbol of the coin in which balances, fees and volumes are valued. */
  get settlementCoin(): string {
    return this.catalogue.settlementCoin();
  }

  /** The present, never before the newest event. */
  nowMs(): number {
    return Math.max(this.timestampMs, this.#now());
  }

  /** Calls the listener once per folded batch that changed something, until unsubscribed. */
  onChange(listener: ChangeListener): () => void {
    return this.#changes.subscribe(listener);
  }

  /**
   * Folds events in sequence order, each once, from the first on.
   * @param isWhole false if more events of the last command follow: its changes are announced with them
   */
  fold(events: readonly ExchangeEvent[], isWhole = true): void {
    if (events.length > 0 && this.#isWhole) {
      assert(events[0].sequence > this.sequence, "views fold every command once");
    }
    this.#isWhole = isWhole;
    for (const event of events) {
      assert(event.sequence >= this.sequence, "views fold events in the order of their sequences");
      assert(event.timestampMs >= this.timestampMs, "time never runs backwards");
      this.#foldOne(event);
      this.sequence = event.sequence;
      this.timestampMs = event.timestampMs;
    }
    if (isWhole) this.#changes.publish();
  }

  /** The folded state as plain data, for `restore`; the views' own data, not a copy. */
  state() {
    return {
      isSimulated: this.isSimulated,
      sequence: this.sequence,
      timestampMs: this.timestampMs,
      // The key in snapshots.
      catalog: this.catalogue.state(),
      books: this.books.state(),
      hiddenLots: this.hiddenLots.state(),
      tickers: this.tickers.state(),
      candles: this.candles.state(),
      trades: this.trades.state(),
      accounts: this.accounts.state(),
      people: this.people.state(),
      lists: this.lists.state(),
      portfolios: this.portfolios.state(),
      adjustments: this.adjustments.state(),
      transfers: this.transfers.state(),
      volumes: this.volumes.state(),
      marketStates: this.marketStates.state(),
    };
  }

  /** Restores the views' state; only before the first fold. */
  restore(state: ViewsState): void {
    if (this.sequence > 0) throw new Error("views that have folded events take no other state");
    this.isSimulated = state.isSimulated;
    this.sequence = state.sequence;
    this.timestampMs = state.timestampMs;
    this.catalogue.restore(state.catalog);
    this.books.restore(state.books);
    this.hiddenLots.restore(state.hiddenLots);
    this.tickers.restore(state.tickers);
    this.candles.restore(state.candles);
    this.trades.restore(state.trades);
    this.accounts.restore(state.accounts);
    this.people.restore(state.people);
    this.lists.restore(state.lists);
    this.portfolios.restore(state.portfolios);
    this.adjustments.restore(state.adjustments);
    this.transfers.restore(state.transfers);
    this.volumes.restore(state.volumes);
    this.marketStates.restore(state.marketStates);
  }

  #foldOne(event: ExchangeEvent): void {
    switch (event.type) {
      case "coinListed":
      case "coinUpdated":
      case "marketListed":
      case "marketUpdated":
      case "planDefined":
      case "planUpdated":
        this.catalogue.fold(event);
        if (event.type === "marketListed") this.marketStates.foldListed(event);
        this.#changes.catalogue();
        break;
      case "marketStatusChanged":
        this.marketStates.foldChanged(event);
        this.#changes.catalogue();
        this.#changes.book(event.marketId);
        break;
      case "marketScheduled":
        this.marketStates.foldScheduled(event);
        this.#changes.catalogue();
        this.#changes.book(event.marketId);
        break;
      case "accountOpened":
        this.accounts.foldOpened(event);
        if (event.kind !== "person") break;
        this.people.foldOpened(event);
        this.portfolios.foldOpened(event);
        this.#changes.accountOpened(event.userId);
        break;
      case "planAssigned":
      case "planLapsed":
        this.accounts.setPlan(event.account, event.planId);
        this.people.foldAccountActivity(event);
        this.#touch(event.account);
        break;
      case "planChosen":
        this.accounts.foldPlanChosen(event);
        this.people.foldAccountActivity(event);
        this.#touch(event.account);
        break;
      case "planPeriodBegan":
        this.accounts.foldPlanPeriod(event);
        this.people.foldAccountActivity(event);
        this.portfolios.foldFee(event.account, event.assetId, event.amount);
        this.#foldOwned(event);
        break;
      case "adjustmentProposed":
        this.adjustments.foldProposed(event);
        this.#changes.adjustments();
        break;
      case "adjustmentRejected":
        this.adjustments.foldDecided(event);
        this.#changes.adjustments();
        break;
      case "adjustmentApproved":
        this.adjustments.foldDecided(event);
        this.people.foldAccountActivity(event);
        this.portfolios.foldDeposit(event.account, event.assetId, event.amount);
        this.#foldOwned(event);
        this.#changes.adjustments();
        break;
      case "transferChanged":
        this.#foldTransfer(event);
        break;
      case "accountFreezeChanged":
        this.accounts.setFrozen(event.account, event.isFrozen);
        this.#touch(event.account);
        break;
      case "practiceFundsTaken":
        this.accounts.setPracticeFundsAt(event.account, event.timestampMs);
        this.people.foldAccountActivity(event);
        this.portfolios.foldDeposit(event.account, event.assetId, event.amount);
        this.#foldOwned(event);
        break;
      case "dustForfeited":
        this.people.foldAccountActivity(event);
        this.portfolios.foldDeposit(event.account, event.assetId, 0 - event.amount);
        this.#foldOwned(event);
        break;
      case "practiceFundsReclaimed":
        this.portfolios.foldDeposit(event.account, event.assetId, 0 - event.amount);
        this.#foldOwned(event);
        break;
      case "participantFunded":
        this.#foldPostings(event);
        break;
      case "simulationStarted":
        this.#foldSimulationStarted(event.seed, event.timestampMs);
        break;
      case "orderPlaced":
        this.people.foldPlaced(event, this.lists.ofOrder(event.orderId));
        this.#foldPostings(event);
        this.#touch(event.account);
        break;
      case "traded":
        this.#foldTraded(event);
        break;
      case "orderRested":
      case "icebergRefilled":
        this.books.foldRested(event);
        this.hiddenLots.fold(event);
        this.#changes.book(event.marketId);
        break;
      case "orderEnded":
        this.people.foldEnded(event);
        this.lists.foldEnded(event);
        this.#foldPostings(event);
        this.hiddenLots.foldEnded(event);
        if (this.books.foldEnded(event)) this.#changes.book(event.marketId);
        this.#touch(event.account);
        break;
      case "orderWaiting":
      case "orderActivated":
      case "waitingOrderAmended":
        this.people.foldChanged(event);
        this.#foldPostings(event);
        this.#touch(event.account);
        break;
      case "orderAmended":
        this.people.foldChanged(event);
        this.#foldPostings(event);
        this.books.foldAmended(event);
        this.hiddenLots.fold(event);
        this.#changes.book(event.marketId);
        this.#touch(event.account);
        break;
      case "quantityDecremented":
        this.people.foldChanged(event);
        this.#foldPostings(event);
        this.hiddenLots.fold(event);
        if (this.books.foldDecremented(event)) this.#changes.book(event.marketId);
        this.#touch(event.account);
        break;
      case "orderListPlaced":
        this.lists.foldPlaced(event);
        break;
      case "cancelTimerSet":
      case "cancelTimerFired":
      case "ordersLeftOpen":
      case "workLimited":
      case "balancesLimited":
      case "rulesAdopted":
      case "timeAdvanced":
      case "auctionUncrossed":
      case "selfTradePrevented":
      case "commandRejected":
      case "requestRepeated":
        break;
      default:
        event satisfies never;
    }
  }

  #foldTransfer(event: EventOf<"transferChanged">): void {
    const { account, amount, assetId, fee, status } = event;
    this.transfers.fold(event);
    this.people.foldAccountActivity(event);
    if (status === "credited") this.portfolios.foldDeposit(account, assetId, amount);
    if (status === "settled") {
      this.portfolios.foldDeposit(account, assetId, 0 - amount);
      this.portfolios.foldFee(account, assetId, fee);
    }
    this.#foldOwned(event);
    this.#changes.transfers();
  }

  #foldTraded(event: EventOf<"traded">): void {
    this.books.foldTraded(event);
    this.marketStates.foldTraded(event);
    this.tickers.foldTraded(event);
    this.candles.foldTraded(event);
    this.trades.foldTraded(event);
    this.#changes.traded(event.marketId);
    for (const account of this.people.followTrade(event)) this.#changes.account(account);
    const { makerAccount, takerAccount } = event;
    const people = [makerAccount, takerAccount].filter((party) => this.accounts.isPerson(party));
    if (people.length > 0) {
      const market = this.catalogue.market(event.marketId);
      this.people.foldTraded(event, market);
      this.portfolios.foldTraded(event, market);
    }
    this.#foldPostings(event);
    for (const person of people) {
      this.volumes.foldTraded(person, event);
      this.portfolios.keep(person, event.timestampMs);
      this.#changes.account(person);
    }
  }

  /** Folds an event that moves money into or out of an account, or between its coins. */
  #foldOwned(event: ExchangeEvent & { readonly account: number }): void {
    this.#foldPostings(event);
    this.portfolios.keep(event.account, event.timestampMs);
    this.#touch(event.account);
  }

  #foldPostings(event: ExchangeEvent): void {
    const postings = postingsOf(event, this.catalogue.assetsOf);
    for (const posting of postings) this.accounts.foldPosting(posting);
    this.people.foldPostings(event, postings);
  }

  #foldSimulationStarted(seed: number, startedAtMs: number): void {
    this.isSimulated = true;
    this.#changes.catalogue();
    if (this.#simulatedCandles === undefined) return;
    for (const market of this.catalogue.markets()) {
      if (!market.definition.simulated || this.tickers.lastTicks(market.marketId) > 0) continue;
      const candles = this.#simulatedCandles(seed, market.definition.symbol, startedAtMs);
      this.tickers.foldHistory(market, candles);
      this.candles.foldHistory(market, candles);
      this.#changes.traded(market.marketId);
    }
  }

  #touch(account: number): void {
    if (this.accounts.isPerson(account)) this.#changes.account(account);
  }
}
