/**
 * Faults that the tests must notice: each is one small, plausible mistake in the engine, the journal
 * or the records, with a test that has to fail because of it. A fault whose line or whose test no
 * longer exists fails too: then the list is out of date.
 */
export interface PlantedFault {
  /** What would go wrong. */
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly line: string;
  readonly mistake: string;
  readonly caughtBy: CatchingTest;
}

export interface CatchingTest {
  readonly file: string;
  /** With the names of its suites, each followed by ` > `. */
  readonly test: string;
  /** Whether it needs nats-server. */
  readonly isOnNats?: boolean;
}

const PROPERTIES = "test/engine/properties.test.ts";
const SCRIPTS = "test/engine/scripts.test.ts";
const HOUSE = "test/engine/scripts-house.test.ts";
const SNAPSHOTS = "test/engine/snapshots.test.ts";
const MODEL = "test/engine/order-model.test.ts";
const MARKETS = "test/engine/scripts-markets.test.ts";
const RESTING = "test/engine/scripts-resting.test.ts";
const TRIGGERS = "test/engine/scripts-triggers.test.ts";
const OWN_ORDERS = "test/engine/scripts-own-orders.test.ts";
const COMBINATIONS = "test/engine/scripts-combinations.test.ts";
const RESUMING = "test/engine/scripts-resuming.test.ts";
const LISTS = "test/engine/scripts-lists.test.ts";
const AMENDING = "test/engine/scripts-amending.test.ts";
const BALANCES = "src/engine/accounts/balance-limit.test.ts";
const SPENT_ORDERS = "test/engine/spent-orders.test.ts";
const LADDER = "src/engine/book/price-ladder.test.ts";
const UNCROSSINGS = "src/engine/markets/pending-uncrossings.test.ts";
const MASS_CANCELS = "src/engine/orders/mass-cancels.test.ts";
const TRANSFERS = "src/engine/transfers/transfers.test.ts";
const PAYMENTS = "src/engine/transfers/payments.test.ts";
const WITHDRAWAL_LIMITS = "src/engine/transfers/withdrawal-limits.test.ts";
const DUAL_CONTROL = "src/engine/dual-control.test.ts";
const FUNDED_CATALOGUE = "src/server/functions/funded-catalogue.test.ts";
const DUST = "src/engine/transfers/dust.test.ts";
const RECORD_FORMAT = "src/engine/formats/record-format.test.ts";
const GOLDEN = "test/golden/golden-journal.test.ts";
const ENGINE = "src/engine/engine.test.ts";
const JOURNAL = "test/disk/journal.test.ts";
const ORDER_RECORDS = "src/server/records/orders.test.ts";
const SIMULATED_CLUSTER: CatchingTest = {
  file: "test/cluster/cluster-simulation.test.ts",
  test: "a simulated cluster > acknowledges once and in one order, in every history",
};
const ON_NATS: CatchingTest = {
  file: "test/crashes/jetstream-journal.test.ts",
  test: "a journal on NATS > is continued by the newest writer only",
  isOnNats: true,
};

const onShortenedStream = (test: string): CatchingTest => ({
  file: "test/disk/shortened-stream.test.ts",
  test,
});

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  // Arithmetic
  {
    name: "a fee is rounded down",
    file: "src/engine/amount.ts",
    line: "return quotient * b === a ? quotient : quotient + 1;",
    mistake: "return quotient;",
    caughtBy: {
      file: "src/engine/amount.test.ts",
      test: "a fee > is the exact share rounded up, for every amount and rate",
    },
  },
  {
    name: "a fee on a large amount overflows",
    file: "src/engine/amount.ts",
    line: "return whole * bps + divideRoundingUp(rest * bps, BPS_ONE);",
    mistake: "return divideRoundingUp(value * bps, BPS_ONE);",
    caughtBy: { file: "src/engine/amount.test.ts", test: "a fee > is never more than the amount" },
  },
  {
    name: "a fraction counts as an amount",
    file: "src/engine/amount.ts",
    line: "return Number.isSafeInteger(value) && value >= 0;",
    mistake: "return value >= 0;",
    caughtBy: {
      file: "src/engine/amount.test.ts",
      test: "a decimal in units > 9007199254740993 with 0 decimals is none",
    },
  },
  // Ledger
  {
    name: "a far trade keeps the band away from the best prices",
    file: "src/engine/markets/price-limits.ts",
    line: "return Math.max(book.bestTicks(BID), Math.min(book.bestTicks(ASK), centre));",
    mistake: "return centre;",
    caughtBy: {
      file: MARKETS,
      test: "a price band > that is wider where an order waits follows the best prices back from a far trade",
    },
  },
  {
    name: "the first order of a market has no limits",
    file: "src/engine/markets/price-limits.ts",
    line: "return book.ladder.best(opposite) === NO_LEVEL ? 0 : book.bestTicks(opposite);",
    mistake: "return 0;",
    caughtBy: {
      file: MARKETS,
      test: "a price band > holds for the first market order too: from the best price that it meets",
    },
  },
  {
    name: "a movement of money leaves its source as it was",
    file: "src/engine/accounts/ledger.ts",
    line: "    cells[from] -= amount;\n    cells[to] += amount;",
    mistake: "    cells[to] += amount;",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > stops before an account owes anything",
    },
  },
  {
    name: "a hold is not covered",
    file: "src/engine/accounts/ledger.ts",
    line: 'if (!(this.#cells[at] >= 0)) throw new InvariantError("a hold is covered");',
    mistake: "",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > stops before an account owes anything",
    },
  },
  {
    name: "a buyer's better price stays held",
    file: "src/engine/accounts/ledger.ts",
    line: "    cells[from] += released;\n    cells[to] += received;\n",
    mistake: "    cells[to] += received;\n",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > a taker settles once for trades with several makers > each maker is paid at its trade, the taker and both sides' fees at the end",
    },
  },
  {
    name: "a fee is collected twice",
    file: "src/engine/accounts/ledger.ts",
    line: "const after = before + fee;",
    mistake: "const after = before + 2 * fee;",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > a taker settles once for trades with several makers > each maker is paid at its trade, the taker and both sides' fees at the end",
    },
  },
  {
    name: "a fee beyond the exact range is collected twice",
    file: "src/engine/accounts/ledger.ts",
    line: "this.#excess.add(excessKey(FEES, assetId), before, fee);",
    mistake: "this.#excess.add(excessKey(FEES, assetId), before, 2 * fee);",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > collects fees beyond any range",
    },
  },
  {
    name: "what makers pay in fees is not collected",
    file: "src/engine/accounts/ledger.ts",
    line: "if (left !== unsettled[1] + this.#collect(spentAssetId, makerFees))",
    mistake: "if (left !== unsettled[1] + makerFees)",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > a taker settles once for trades with several makers > each maker is paid at its trade, the taker and both sides' fees at the end",
    },
  },
  {
    name: "what makers received is not counted against what their taker spends",
    file: "src/engine/accounts/ledger.ts",
    line: "if (left !== unsettled[1] + this.#collect(spentAssetId, makerFees))",
    mistake: "if (left < this.#collect(spentAssetId, makerFees))",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > a taker settles once for trades with several makers > notices a taker who spends more than makers and fees get",
    },
  },
  // What one account may own
  {
    name: "what lies beyond the exact range is forgotten",
    file: "src/engine/accounts/excess.ts",
    line: "    this.set(key, exact - kept);",
    mistake: "",
    caughtBy: {
      file: "src/engine/accounts/ledger.test.ts",
      test: "a ledger > is exact beyond any range in the accounts of the exchange",
    },
  },
  {
    name: "what lies beyond the exact range is not in a snapshot",
    file: "src/engine/accounts/ledger.ts",
    line: "      this.#excess.set(key, BigInt(text));\n",
    mistake: "",
    caughtBy: {
      file: BALANCES,
      test: "a limit > is for each account: all together own any amount",
    },
  },
  {
    name: "what an account holds does not count towards what it may own",
    file: "src/engine/accounts/ledger.ts",
    line: "    return (this.#cells[at] + this.#cells[at + 1]) as Amount;",
    mistake: "    return this.#cells[at] as Amount;",
    caughtBy: {
      file: BALANCES,
      test: "a trade that would bring too much > counts what open orders of the account hold",
    },
  },
  {
    name: "an incoming order receives more than its account may own",
    file: "src/engine/book/matching.ts",
    line: "  if (!canReceive(state, order.account, receivedAssetId, received)) {",
    mistake: "  if (received < 0) {",
    caughtBy: {
      file: BALANCES,
      test: "a trade that would bring too much > ends the incoming order where it brings it to its own account; earlier trades stay",
    },
  },
  {
    name: "a maker receives more than its account may own",
    file: "src/engine/book/matching.ts",
    line: "  if (canReceive(state, makerAccount, spentAssetId, spent)) return true;",
    mistake: "  if (makerAccount > 0) return true;",
    caughtBy: {
      file: BALANCES,
      test: "a trade that would bring too much > ends the resting order where it brings it to the maker; the next in the queue trades",
    },
  },
  {
    name: "a market order spends more than it holds where its makers have ended",
    file: "src/engine/book/matching.ts",
    line: "return holdsLess || book.checksReceipts ?",
    mistake: "return holdsLess ?",
    caughtBy: {
      file: BALANCES,
      test: "a market order whose makers end > buys as much as it holds enough for",
    },
  },
  {
    name: "a triggered buy spends more than it holds where its market's protection was widened",
    file: "src/engine/book/matching.ts",
    line: "return holdsLess || book.checksReceipts ?",
    mistake: "return book.checksReceipts ?",
    caughtBy: {
      file: "test/engine/redefined-protection.test.ts",
      test: "an order that waits buys what its hold covers at the new cap, and no more",
    },
  },
  {
    name: "a sell by total loses more to its own order than it holds",
    file: "src/engine/book/self-trades.ts",
    line: "Math.min(wanted, ownLots, lotsToDecrement(order, priceTicks))",
    mistake: "Math.min(wanted, ownLots)",
    caughtBy: {
      file: BALANCES,
      test: "a trade that would bring too much > leaves a sell by total no more to lose to its own order than it holds",
    },
  },
  {
    name: "an order by total that is spent ends its owner's order",
    file: "src/engine/book/matching.ts",
    line: "if (orders.accountOf(maker) === account && !stops) {",
    mistake: "if (orders.accountOf(maker) === account) {",
    caughtBy: {
      file: SPENT_ORDERS,
      test: "an order by total that is spent > has filled, and leaves its owner's order alone: expire-maker",
    },
  },
  {
    name: "an order by total that is spent halts its market",
    file: "src/engine/book/matching.ts",
    line: "if (isWithinLimit && !stops)",
    mistake: "if (isWithinLimit)",
    caughtBy: {
      file: SPENT_ORDERS,
      test: "an order by total that is spent > does not halt the market at a price beyond the breaker",
    },
  },
  {
    name: "a journal from before a rule is replayed with it",
    file: "src/engine/book/matching.ts",
    line: "wantedLots === 0 && state.spentOrdersStop",
    mistake: "wantedLots === 0",
    caughtBy: {
      file: SPENT_ORDERS,
      test: "in a journal from before that rule > it meets its owner's order",
    },
  },
  {
    name: "an auction brings an account more than it may own",
    file: "src/engine/markets/uncrossing.ts",
    line: "while (book.checksReceipts && ",
    mistake: "while (book.marketId < 0 && ",
    caughtBy: {
      file: BALANCES,
      test: "an auction > adds up the orders of an account, of which the last ones are left out",
    },
  },
  {
    name: "a fill-or-kill order fills a part where its makers may not own more",
    file: "src/engine/book/liquidity.ts",
    line: "  return !book.checksReceipts || canAllReceive(state, book, side, lots, account);",
    mistake: "  return book.marketId > 0;",
    caughtBy: {
      file: BALANCES,
      test: "a fill-or-kill order > fills only where every party may own what it brings",
    },
  },
  {
    name: "orders of one account are counted one by one before an auction",
    file: "src/engine/markets/receipts.ts",
    line: "const received = (receipts.get(account) ?? 0) + ",
    mistake: "const received = ",
    caughtBy: {
      file: BALANCES,
      test: "an auction > adds up the orders of an account, of which the last ones are left out",
    },
  },
  {
    name: "plain orders trade without a look at what accounts may own",
    file: "src/engine/book/order-book.ts",
    line: "    this.takesPlainOrders = this.isTrading && !isNeeded;",
    mistake: "    this.takesPlainOrders = this.isTrading;",
    caughtBy: {
      file: BALANCES,
      test: "a trade that would bring too much > ends the incoming order where it brings it to its own account; earlier trades stay",
    },
  },
  {
    name: "a market that reopens forgets that balances are limited",
    file: "src/engine/book/order-book.ts",
    line: "    this.takesPlainOrders = this.isTrading && !this.checksReceipts;",
    mistake: "    this.takesPlainOrders = this.isTrading;",
    caughtBy: {
      file: BALANCES,
      test: "an auction > is followed by trades that are looked at as before",
    },
  },
  {
    name: "a market does not hear that more was given out",
    file: "src/engine/accounts/account-keeping.ts",
    line: "  ledger.deposit(account, assetId, amount);\n  supplyChanged(state, assetId);",
    mistake: "  ledger.deposit(account, assetId, amount);",
    caughtBy: {
      file: BALANCES,
      test: "a limit > is for each account: all together own any amount",
    },
  },
  {
    name: "orders that are too large for exact books stay when balances are limited",
    file: "src/engine/accounts/account-keeping.ts",
    line: "if (orders.totalLotsOf(slot) > lotsMax) found.push(orders.idOf(slot));",
    mistake: "if (lotsMax === 0) found.push(orders.idOf(slot));",
    caughtBy: {
      file: BALANCES,
      test: "the lots of a book while balances are limited > are bounded by order: larger ones end with the first limit and are refused after it",
    },
  },
  // What is remembered
  {
    name: "one account's names make another's forgotten",
    file: "src/engine/idempotency/client-order-ids.ts",
    line: "this.#drop(window.firstOfLargest);",
    mistake: "this.#drop(window.first);",
    caughtBy: {
      file: "src/engine/idempotency/client-order-ids.test.ts",
      test: "client order ids > of an account go, its oldest first, when it has named a million; those of others stay",
    },
  },
  {
    name: "the account that has the most is the one that had it once",
    file: "src/engine/idempotency/text-owners.ts",
    line: "if (counts[this.#largest] > this.#othersMax) return this.#largest;",
    mistake: "if (counts[this.#largest] > 0) return this.#largest;",
    caughtBy: {
      file: "src/engine/idempotency/remembered-texts.test.ts",
      test: "remembered texts > are what a list of them would say, in order, found unit by unit, also after a snapshot",
    },
  },
  // Time limits
  {
    name: "a command is carried out past its time limit",
    file: "src/engine/time/time-limits.ts",
    line: 'return aheadMs < 0 ? "requestExpired" : null;',
    mistake: "return null;",
    caughtBy: {
      file: COMBINATIONS,
      test: "a command with a time limit > is answered as its first request was, however late it comes again",
    },
  },
  {
    name: "a list is placed past its time limit",
    file: "src/engine/orders/placing-lists.ts",
    line: "const late = validateTimeLimit(command.validUntilMs, state.nowMs);",
    mistake: "const late = null;",
    caughtBy: {
      file: COMBINATIONS,
      test: "a command with a time limit > is refused past it and changes nothing, whatever it asks for",
    },
  },
  {
    name: "the journal forgets an order's time limit",
    file: "src/engine/formats/command-codec.ts",
    line: "bytes[offset + 3] |= HAS_TIME_LIMIT;",
    mistake: "",
    caughtBy: {
      file: "src/engine/formats/command-codec.test.ts",
      test: "a command in bytes > comes back as it was: cancelOrder",
    },
  },
  {
    name: "a snapshot counts whatever its bytes are",
    file: "src/journal/snapshot-files.ts",
    line: 'if (Buffer.compare(header.subarray(FIELD_BYTES), digest) !== 0) refuse("its checksum is wrong");',
    mistake: "",
    caughtBy: {
      file: "src/journal/snapshot-files.test.ts",
      test: "the file of a snapshot > is damaged where any bit of it differs or any byte is missing",
    },
  },
  {
    name: "a packed row does not go on from the one above it",
    file: "src/engine/formats/snapshot.ts",
    line: "const above = at < width ? 0 : values[at - width];",
    mistake: "const above = at <= width ? 0 : values[at - width];",
    caughtBy: {
      file: "src/engine/idempotency/remembered-texts.test.ts",
      test: "rows of a snapshot > are read as they were written",
    },
  },
  // Records
  {
    name: "a second fill replaces the first",
    file: "src/server/records/orders.ts",
    line: "order.filledLots += trade.quantityLots;",
    mistake: "order.filledLots = trade.quantityLots;",
    caughtBy: { file: ORDER_RECORDS, test: "an order's record > adds up what was filled" },
  },
  {
    name: "an order by quote amount gets a quantity below zero",
    file: "src/server/records/orders.ts",
    line: "if (order.quoteAmount === 0) order.quantityLots -=",
    mistake: "order.quantityLots -=",
    caughtBy: {
      file: ORDER_RECORDS,
      test: "an order's record > asks for less once decremented, unless it is by quote amount",
    },
  },
  {
    name: "an activated order keeps the quantity that it waited with",
    file: "src/server/records/orders.ts",
    line: '    case "orderActivated":\n      order.waitsFor = "nothing";\n      order.quantityLots = event.quantityLots;',
    mistake: '    case "orderActivated":\n      order.waitsFor = "nothing";',
    caughtBy: {
      file: ORDER_RECORDS,
      test: "an order's record > waits until it is activated, then asks for what it was activated with",
    },
  },
  {
    name: "an order that ended still waits",
    file: "src/server/records/orders.ts",
    line: '  order.waitsFor = "nothing";\n  update(order, event);',
    mistake: "  update(order, event);",
    caughtBy: {
      file: ORDER_RECORDS,
      test: "an order's record > waits for nothing after its end, and says why it ended",
    },
  },
  {
    name: "the history keeps the trigger that an order was placed with",
    file: "src/server/records/orders.ts",
    line: 'changing("trigger_ticks")',
    mistake: 'fixed("trigger_ticks")',
    caughtBy: {
      file: ORDER_RECORDS,
      test: "a record of an order > is updated in every column that an event changes",
    },
  },
  {
    name: "a stored flag is read as its opposite",
    file: "src/server/records/record-kind.ts",
    line: "stored === 1",
    mistake: "stored !== 1",
    caughtBy: {
      file: ORDER_RECORDS,
      test: "a record of an order > is the same after it was a row",
    },
  },
  {
    name: "the taker of an auction is shown the taker's fee",
    file: "src/server/records/trades.ts",
    line: 'role === "maker" || event.auction !== undefined ?',
    mistake: 'role === "maker" ?',
    caughtBy: { file: ORDER_RECORDS, test: "both parties of an auction pay as makers" },
  },
  {
    name: "records from before a start are forgotten too early",
    file: "src/server/views/person-records.ts",
    line: "this.#packed = RECORDS_KEPT - this.#items.length;",
    mistake: "this.#packed = 0;",
    caughtBy: {
      file: "src/server/views/person-records.test.ts",
      test: "the newest records are known however many of them came before a snapshot",
    },
  },
  {
    name: "snapshots forget what is held",
    file: "src/engine/accounts/ledger.ts",
    line: "        snapshot.number(held);\n",
    mistake: "        snapshot.number(0);\n",
    caughtBy: {
      file: SNAPSHOTS,
      test: "a snapshot at any command, and the commands behind it > lead to what all commands lead to, prices tight",
    },
  },
  // House: plans, fees, adjustments
  {
    name: "today's volume counts today already",
    file: "src/engine/accounts/fee-tiers.ts",
    line: "return this.#accounts.volumeBefore(account, this.today);",
    mistake: "return this.#accounts.volumeBefore(account, this.today + 1);",
    caughtBy: {
      file: "src/engine/accounts/fee-tiers.test.ts",
      test: "the fees of an account > forget aged days also while the account continues to trade",
    },
  },
  {
    name: "a fee tier begins above its volume",
    file: "src/engine/accounts/fee-tiers.ts",
    line: "if (tier.volumeMin > volume) break;",
    mistake: "if (tier.volumeMin >= volume) break;",
    caughtBy: {
      file: "src/engine/accounts/fee-tiers.test.ts",
      test: "the fees of an account > are the plan's until a day has passed over a volume",
    },
  },
  {
    name: "an administrator approves an adjustment of his own",
    file: "src/engine/accounts/adjustments.ts",
    line: "if (refusedSecond !== null) return refusedSecond;",
    mistake: "",
    caughtBy: {
      file: HOUSE,
      test: "an adjustment > moves money when a second administrator approves it",
    },
  },
  {
    name: "an adjustment is carried out twice",
    file: "src/engine/accounts/adjustments.ts",
    line: '  adjustments.remove(adjustmentId);\n  state.events.rare({ type: "adjustmentApproved"',
    mistake: '  state.events.rare({ type: "adjustmentApproved"',
    caughtBy: {
      file: HOUSE,
      test: "an adjustment > moves money when a second administrator approves it",
    },
  },
  // Deposits and withdrawals
  {
    name: "one administrator approves any withdrawal alone",
    file: "src/engine/transfers/transfers.ts",
    line: "} else if (mayDecideAlone(state, transfer, decision)) {",
    mistake: '} else if (byAdmin !== "") {',
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > above the limit of one administrator needs two, who are two people",
    },
  },
  {
    name: "one administrator credits any deposit alone",
    file: "src/engine/transfers/transfers.ts",
    line: "  if (mayDecideAlone(state, arrived, decision)) {",
    mistake: '  if (receipt !== "") {',
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > above the limit of one administrator waits for a second one, who is another person",
    },
  },
  {
    name: "one administrator is two",
    file: "src/engine/dual-control.ts",
    line: 'return firstBy === byAdmin ? "sameAdministrator" : null;',
    mistake: "return null;",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > above the limit of one administrator needs two, who are two people",
    },
  },
  {
    name: "an administrator approves their own withdrawal",
    file: "src/engine/transfers/transfer-steps.ts",
    line: 'return isOwn ? "ownTransfer" : transfer;',
    mistake: "return transfer;",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > is decided by no administrator whose own it is",
    },
  },
  {
    name: "a payer says that a payment came back",
    file: "src/engine/transfers/payments.ts",
    line: 'if (transfer.payers.includes(byAdmin)) return "sameAdministrator";',
    mistake: "",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is rejected until it is sent, and comes back only by another than who sent it",
    },
  },
  {
    name: "one administrator says alone that a large payment came back",
    file: "src/engine/transfers/payments.ts",
    line: "} else if (mayDecideAlone(state, transfer, decision)) {",
    mistake: '} else if (byAdmin !== "") {',
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > that is large comes back by the word of two people beside who sent it",
    },
  },
  {
    name: "who said that a withdrawal came back confirms it",
    file: "src/engine/transfers/payments.ts",
    line: "    const refusal = validateSecondAdmin(transfer.firstBy, byAdmin);\n    if (refusal !== null) return refusal;\n",
    mistake: "",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > that is large comes back by the word of two people beside who sent it",
    },
  },
  {
    name: "an approved withdrawal is rejected as if it could not have been paid",
    file: "src/engine/transfers/transfers.ts",
    line: 'if (isIn(transfer, "approved", "paying")) {',
    mistake: 'if (isIn(transfer, "paying")) {',
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > that was not begun is rejected by two, however small: it may have been paid unclaimed",
    },
  },
  {
    name: "who pays a withdrawal rejects it alone",
    file: "src/engine/transfers/transfers.ts",
    line: 'if (isIn(transfer, "approved", "paying")) {',
    mistake: 'if (isIn(transfer, "approved")) {',
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is not rejected by who pays it alone, nor by others behind the payer's back",
    },
  },
  {
    name: "who rejected an approved withdrawal confirms it",
    file: "src/engine/transfers/transfers.ts",
    line: '  if (isIn(transfer, "rejectedOnce")) {\n    const refusal = validateSecondAdmin(transfer.firstBy, decision.byAdmin);\n    if (refusal !== null) return refusal;\n  }\n',
    mistake: "",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > that was not begun is rejected by two, however small: it may have been paid unclaimed",
    },
  },
  {
    name: "a payment is rejected behind its payer's back",
    file: "src/engine/transfers/transfers.ts",
    line: '  if (isIn(transfer, "paying") && payerOf(transfer) !== decision.byAdmin) return "notThePayer";\n',
    mistake: "",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is not rejected by who pays it alone, nor by others behind the payer's back",
    },
  },
  {
    name: "another than the payer marks a withdrawal as sent",
    file: "src/engine/transfers/payments.ts",
    line: 'if (payerOf(transfer) !== decision.byAdmin) return "notThePayer";',
    mistake: "",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is claimed by one administrator, who alone marks it as sent",
    },
  },
  {
    name: "who took a payment over is not its payer",
    file: "src/engine/transfers/transfer-steps.ts",
    line: "return payers.at(-1);",
    mistake: "return payers.at(0);",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is taken over by another one, with a reason; the first one is its payer no longer",
    },
  },
  {
    name: "an earlier payer is forgotten",
    file: "src/engine/transfers/payments.ts",
    line: "const payers = [...transfer.payers.filter((payer) => payer !== byAdmin), byAdmin];",
    mistake: "const payers = [byAdmin];",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is taken over by another one, with a reason; the first one is its payer no longer",
    },
  },
  {
    name: "parts of a large amount are decided alone for one owner",
    file: "src/engine/dual-control.ts",
    line: '{ assetId, account, byAdmin: "", amount },',
    mistake: "{ assetId, account: 0, byAdmin, amount: 0 },",
    caughtBy: {
      file: DUAL_CONTROL,
      test: "what is decided alone within a day > of one owner is no more than the limit, over all administrators and in both directions",
    },
  },
  {
    name: "one administrator decides any sum alone",
    file: "src/engine/dual-control.ts",
    line: "    { assetId, account: 0, byAdmin, amount },\n",
    mistake: "",
    caughtBy: {
      file: DUAL_CONTROL,
      test: "what is decided alone within a day > by one administrator is no more than the limit, over all owners",
    },
  },
  {
    name: "what was decided alone yesterday counts today",
    file: "src/engine/dual-control.ts",
    line: "if (today !== this.#day) this.#sums.clear();",
    mistake: "",
    caughtBy: {
      file: DUAL_CONTROL,
      test: "what is decided alone within a day > starts again with the next UTC day; what two decided does not count",
    },
  },
  {
    name: "what an approval decides alone is not counted",
    file: "src/engine/transfers/transfers.ts",
    line: "    countLoneDecision(state, transfer, decision);\n",
    mistake: "",
    caughtBy: {
      file: DUAL_CONTROL,
      test: "what is decided alone within a day > by one administrator is no more than the limit, over all owners",
    },
  },
  {
    name: "a snapshot forgets what was decided alone",
    file: "src/engine/transfers/open-transfers.ts",
    line: "    this.decidedAlone.readFrom(snapshot);\n",
    mistake: "    new LoneDecisions().readFrom(snapshot);\n",
    caughtBy: {
      file: DUAL_CONTROL,
      test: "what is decided alone within a day > of one owner is no more than the limit, over all administrators and in both directions",
    },
  },
  {
    name: "a deposit never expires",
    file: "src/engine/transfers/open-transfers.ts",
    line: "    if (expiresAtMs === 0) return;\n",
    mistake: "    if (expiresAtMs >= 0) return;\n",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > expires unless it has arrived by then, in the order of their times",
    },
  },
  {
    name: "a deposit expires after it has arrived",
    file: "src/engine/transfers/open-transfers.ts",
    line: "    this.#byId.set(transferId, transfer);\n    this.#stopExpiry(transferId);\n",
    mistake: "    this.#byId.set(transferId, transfer);\n",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > expires unless it has arrived by then, in the order of their times",
    },
  },
  {
    name: "one account announces any number of deposits",
    file: "src/engine/transfers/open-transfers.ts",
    line: "return this.#deposits.of(account) >= DEPOSITS_PER_ACCOUNT_MAX;",
    mistake: "return account < 0;",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > is one of at most five that an account may have open",
    },
  },
  {
    name: "another withdrawal under the same key is answered as the first",
    file: "src/engine/engine.ts",
    line: 'if (first.content !== content) return "requestReused";',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > that is sent again under its key happens once",
    },
  },
  {
    name: "a repeat with another time limit is another request",
    file: "src/engine/idempotency/request-content.ts",
    line: "{ ...command, validUntilMs: undefined }",
    mistake: "{ ...command }",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > that is sent again under its key happens once",
    },
  },
  {
    name: "one administrator opens withdrawals that are closed",
    file: "src/server/catalogue/tighter-terms.ts",
    line: "(withdrawals || !nextWithdrawals)",
    mistake: "(withdrawals || nextWithdrawals || !nextWithdrawals)",
    caughtBy: {
      file: FUNDED_CATALOGUE,
      test: "what lets money in or out is for the operator alone > terms that let less through are for one administrator, at once",
    },
  },
  {
    name: "one administrator raises what one decides alone",
    file: "src/server/catalogue/tighter-terms.ts",
    line: 'isAtMost(alone ?? "0", oneApprovalMax ?? "0") &&',
    mistake: "",
    caughtBy: {
      file: FUNDED_CATALOGUE,
      test: "what lets money in or out is for the operator alone > terms that let less through are for one administrator, at once",
    },
  },
  {
    name: "what can be withdrawn is given up",
    file: "src/engine/transfers/dust.ts",
    line: "owned < Math.max(1, withdrawalMin) + withdrawalFee",
    mistake: "owned <= Math.max(1, withdrawalMin) + withdrawalFee",
    caughtBy: {
      file: DUST,
      test: "what can be withdrawn is not given up, and neither is another amount than all of it",
    },
  },
  {
    name: "more is given up than the owner saw",
    file: "src/engine/transfers/dust.ts",
    line: 'if (amount !== ledger.available(account, assetId)) return "invalidAmount";',
    mistake: 'if (amount > ledger.available(account, assetId)) return "invalidAmount";',
    caughtBy: {
      file: DUST,
      test: "what can be withdrawn is not given up, and neither is another amount than all of it",
    },
  },
  {
    name: "the last trade alone says what a coin is worth",
    file: "src/engine/transfers/withdrawal-limits.ts",
    line: "const ticks = Math.max(median, book.lastTicks);",
    mistake: "const ticks = book.lastTicks || median;",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the price of a coin towards the limits > is not moved down by a trade",
    },
  },
  {
    name: "a snapshot forgets the ends of days",
    file: "src/engine/state.ts",
    line: "    this.dailyCloses.readFrom(snapshot);\n",
    mistake: "    new DailyCloses().readFrom(snapshot);\n",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the price of a coin towards the limits > is not moved down by a trade",
    },
  },
  {
    name: "days without a command have no price",
    file: "src/engine/markets/daily-closes.ts",
    line: "const ended = Math.floor((nowMs - this.dayEndsMs) / DAY_MS) + 1;",
    mistake: "const ended = 1;",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the price of a coin towards the limits > is that of the days without trades too, and a refused command ends no day",
    },
  },
  {
    name: "a refused command ends a day",
    file: "src/engine/engine.ts",
    line: 'dailyCloses.finish(outcome === "accepted", timestampMs);',
    mistake: "dailyCloses.finish(true, timestampMs);",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the price of a coin towards the limits > is that of the days without trades too, and a refused command ends no day",
    },
  },
  {
    name: "one payment is recorded as two deposits",
    file: "src/engine/transfers/transfers.ts",
    line: 'if (state.transfers.receipts.has(arrived)) return "receiptKnown";',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > is recorded from a receipt that no other deposit of the coin and network has",
    },
  },
  {
    name: "the receipt of a credited deposit is forgotten",
    file: "src/engine/transfers/open-transfers.ts",
    line: 'if (status === "credited") this.receipts.addCredited(transfer);',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > is recorded from a receipt that no other deposit of the coin and network has",
    },
  },
  {
    name: "a snapshot forgets receipts",
    file: "src/engine/transfers/open-transfers.ts",
    line: "    this.receipts.readFrom(snapshot);\n",
    mistake: "    new DepositReceipts().readFrom(snapshot);\n",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > is recorded from a receipt that no other deposit of the coin and network has",
    },
  },
  {
    name: "a withdrawal that is requested is not held",
    file: "src/engine/transfers/transfers.ts",
    line: "  ledger.hold(account, assetId, amount + fee);\n",
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > is held, approved, sent and settled: its amount leaves, its fee goes to the fees",
    },
  },
  {
    name: "a withdrawal does not hold its fee",
    file: "src/engine/transfers/transfers.ts",
    line: "if (amount + fee > ledger.available(account, assetId))",
    mistake: "if (amount > ledger.available(account, assetId))",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > takes what is available with its fee, and not a unit more",
    },
  },
  {
    name: "a rejected withdrawal keeps its fee",
    file: "src/engine/transfers/transfer-steps.ts",
    line: "state.ledger.release(account, assetId, amount + fee);",
    mistake: "state.ledger.release(account, assetId, amount);",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > that is rejected, cancelled or returned releases exactly what was held, its fee included",
    },
  },
  {
    name: "a withdrawal that was sent is rejected",
    file: "src/engine/transfers/transfers.ts",
    line: '  if (isIn(transfer, "sent", "returnedOnce")) return "transferNotOpen";\n',
    mistake: "",
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is rejected until it is sent, and comes back only by another than who sent it",
    },
  },
  {
    name: "a withdrawal is claimed before it is approved",
    file: "src/engine/transfers/payments.ts",
    line: 'if (!isIn(transfer, "approved", "paying", "rejectedOnce")) return "transferNotOpen";',
    mistake:
      'if (!isIn(transfer, "approved", "paying", "rejectedOnce", "approvedOnce")) return "transferNotOpen";',
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > above the limit of one administrator needs two, who are two people",
    },
  },
  {
    name: "a withdrawal is settled before it is sent",
    file: "src/engine/transfers/payments.ts",
    line: '  if (!isIn(transfer, "sent", "returnedOnce")) return "transferNotOpen";\n  const { account',
    mistake:
      '  if (!isIn(transfer, "sent", "returnedOnce", "paying")) return "transferNotOpen";\n  const { account',
    caughtBy: {
      file: PAYMENTS,
      test: "the payment of a withdrawal > is settled only after it was sent, and once",
    },
  },
  {
    name: "an owner cancels what is on its way",
    file: "src/engine/transfers/transfers.ts",
    line: 'if (!isIn(transfer, "requested", "held", "approvedOnce")) return "transferNotOpen";',
    mistake: 'if (isIn(transfer, "sent")) return "transferNotOpen";',
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > is cancelled by its owner until it is approved, and by no one else",
    },
  },
  {
    name: "a user cancels another user's withdrawal",
    file: "src/engine/transfers/transfers.ts",
    line: 'if (transfer.account !== account) return "unknownTransfer";',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > is cancelled by its owner until it is approved, and by no one else",
    },
  },
  {
    name: "a deposit is recorded twice",
    file: "src/engine/transfers/transfers.ts",
    line: 'if (!isIn(transfer, "requested")) return "transferNotOpen";',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > is not recorded a second time while it waits for the second administrator",
    },
  },
  {
    name: "a deposit that ended is credited again",
    file: "src/engine/transfers/open-transfers.ts",
    line: 'assert(this.#byId.delete(transferId), "a transfer ends once");',
    mistake: 'assert(this.#byId.has(transferId), "a transfer ends once");',
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > is credited once",
    },
  },
  {
    name: "a deposit goes beyond what an account may own",
    file: "src/engine/transfers/transfers.ts",
    line: "  const refusal = validateCredit(state, account, assetId, amount);\n  if (refusal !== null) return refusal;\n",
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a deposit > that an account could not own stays as it is",
    },
  },
  {
    name: "the withdrawal of a frozen account is paid",
    file: "src/engine/transfers/payments.ts",
    line: '  if (state.accounts.isFrozen(transfer.account)) return "accountFrozen";\n',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "a withdrawal > of a frozen account is neither requested, approved nor claimed; one that was paid is marked",
    },
  },
  {
    name: "the day's limit of withdrawals is not looked at",
    file: "src/engine/transfers/withdrawal-limits.ts",
    line: "dayValue + value <= withdrawalDailyMax && ",
    mistake: "",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the limits of a plan > count what is withdrawn per UTC day and per UTC month",
    },
  },
  {
    name: "a rejected withdrawal counts against the limits",
    file: "src/engine/transfers/transfer-steps.ts",
    line: "    state.transfers.withdrawn.uncount(transfer);\n",
    mistake: "",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the limits of a plan > count no longer what was rejected, also a day later",
    },
  },
  {
    name: "a rejected withdrawal of another day frees today's limit",
    file: "src/engine/transfers/withdrawn-values.ts",
    line: "const dayValue = last.dayValue - (isOfDay ? value : 0);",
    mistake: "const dayValue = last.dayValue - value;",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the limits of a plan > count no longer what was rejected, also a day later",
    },
  },
  {
    name: "the value of a withdrawal is rounded down",
    file: "src/engine/transfers/withdrawal-limits.ts",
    line: "(exact + BigInt(lotUnits) - 1n) / BigInt(lotUnits)",
    mistake: "exact / BigInt(lotUnits)",
    caughtBy: {
      file: WITHDRAWAL_LIMITS,
      test: "the limits of a plan > count other coins at their price, rounded up",
    },
  },
  {
    name: "a funded coin is given as practice funds",
    file: "src/engine/accounts/account-keeping.ts",
    line: 'if (catalogue.coins.get(assetId).transfers !== undefined) return "fundedCoin";',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "funded and practice coins > a funded coin is no practice fund, and is not reclaimed from an account",
    },
  },
  {
    name: "what was paid in is reclaimed from a deleted user",
    file: "src/engine/accounts/account-keeping.ts",
    line: "if (catalogue.coins.get(assetId).transfers !== undefined) continue;",
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "funded and practice coins > a funded coin is no practice fund, and is not reclaimed from an account",
    },
  },
  {
    name: "practice money buys a funded coin",
    file: "src/engine/markets/listing.ts",
    line: 'if (hasFundedBase !== isFunded(assets.quoteAssetId)) return "mixedFunds";',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "funded and practice coins > never meet in one market, and the simulation trades practice coins alone",
    },
  },
  {
    name: "a practice coin becomes a funded one",
    file: "src/engine/markets/listing.ts",
    line: 'if ((coin.transfers === undefined) !== (transfers === undefined)) return "mixedFunds";',
    mistake: "",
    caughtBy: {
      file: TRANSFERS,
      test: "funded and practice coins > stay what they are",
    },
  },
  {
    name: "a snapshot forgets what counts against limits",
    file: "src/engine/transfers/open-transfers.ts",
    line: "    this.withdrawn.readFrom(snapshot);\n",
    mistake: "    new WithdrawnValues().readFrom(snapshot);\n",
    caughtBy: {
      file: TRANSFERS,
      test: "a snapshot keeps open transfers, what counts against limits, and the next number",
    },
  },
  {
    name: "a plan is renewed without being paid",
    file: "src/engine/accounts/plan-changes.ts",
    line: "if (amount > 0) ledger.transfer(account, HOUSE_ACCOUNT, terms.currencyId, amount);",
    mistake: "",
    caughtBy: {
      file: HOUSE,
      test: "choosing a plan > a more expensive one holds at once and credits what is left by time, rounded down",
    },
  },
  {
    name: "a frozen account changes its plan",
    file: "src/engine/accounts/plan-changes.ts",
    line: 'if (accounts.isFrozen(account)) return "accountFrozen";\n  const period',
    mistake: "const period",
    caughtBy: {
      file: HOUSE,
      test: "a frozen account > changes no plan and places nothing but may cancel; its orders stay and trade",
    },
  },
  // Orders
  {
    name: "a buyer beyond its limit still trades",
    file: "src/engine/book/matching.ts",
    line: "if (side === BID ? priceTicks > worstTicks : priceTicks < worstTicks) {",
    mistake: "if (side === BID ? priceTicks > worstTicks + 1 : priceTicks < worstTicks) {",
    caughtBy: {
      file: MODEL,
      test: "the engine does what an independent model of every order type does > while the house works",
    },
  },
  {
    name: "self-trade prevention that ends the maker ends the taker too",
    file: "src/engine/book/self-trades.ts",
    line: "      endOrder(state, own, END_EXPIRED, END_REASON.selfTrade);\n      return true;",
    mistake:
      "      endOrder(state, own, END_EXPIRED, END_REASON.selfTrade);\n      order.stopReason = END_REASON.selfTrade;\n      return false;",
    caughtBy: {
      file: RESTING,
      test: "self-trade prevention > fill or kill counts past own orders with expire maker only",
    },
  },
  {
    name: "a decrement gives back what it does not take",
    file: "src/engine/book/self-trades.ts",
    line: "const released = holdFor(book, side, priceTicks, lots);",
    mistake: "const released = holdFor(book, side, priceTicks - 1, lots);",
    caughtBy: {
      file: MODEL,
      test: "the engine does what an independent model of every order type does > around one touch",
    },
  },
  {
    name: "an iceberg's next part keeps its place in the queue",
    file: "src/engine/orders/icebergs.ts",
    line: "  book.remove(side, slot);\n  details.hiddenLots -= visibleLots;\n  book.append(side, slot, priceTicks, visibleLots);",
    mistake: "  book.reduceHidden(slot, visibleLots);\n  book.reduce(slot, -visibleLots);",
    caughtBy: {
      file: RESTING,
      test: "an iceberg > shows one part at a time, each at the end of the queue of its price",
    },
  },
  {
    name: "a pair keeps too much of its shared hold",
    file: "src/engine/orders/ending.ts",
    line: "const kept = Math.min(holdOf(state, slot), trigger.neededAmount);",
    mistake: "const kept = holdOf(state, slot);",
    caughtBy: {
      file: MODEL,
      test: "the engine does what an independent model of every order type does > around one touch",
    },
  },
  {
    name: "the second order of a pair outlives the first one's trade",
    file: "src/engine/orders/ending.ts",
    line: "  else endRestOfList(state, listId, orderId, LIST_EXPIRED);\n}",
    mistake: "}",
    caughtBy: { file: LISTS, test: "a bracket > a take-profit that fills at once ends the stop" },
  },
  {
    name: "the state's hash leaves out when a market's state ends",
    file: "src/engine/state.ts",
    line: '  untilMs: "number",\n',
    mistake: "",
    caughtBy: {
      file: "src/engine/state.test.ts",
      test: "two exchanges that differ only in > when a market's state ends have another hash",
    },
  },
  {
    name: "the state's hash leaves out the last price",
    file: "src/engine/state.ts",
    line: '  lastTicks: "number",\n',
    mistake: "",
    caughtBy: {
      file: "src/engine/state.test.ts",
      test: "two exchanges that differ only in > which of two prices was the last have another hash",
    },
  },
  {
    name: "an order is amended across one of its own account before an auction",
    file: "src/engine/orders/amending-resting.ts",
    line: 'return crossesOwnOrder(state, account, book, side, newTicks) ? "wouldCrossOwnOrder" : null;',
    mistake: "return null;",
    caughtBy: {
      file: OWN_ORDERS,
      test: "while a market gathers orders no account stands across an own order > by amending the price of either; another quantity is no matter",
    },
  },
  {
    name: "after a halt the newest list continues first",
    file: "src/engine/orders/waiting-orders.ts",
    line: "for (const list of lists.values()) {",
    mistake: "for (const list of [...lists.values()].toReversed()) {",
    caughtBy: {
      file: RESUMING,
      test: "a halt > leaves pending orders of several lists; that of the oldest comes first",
    },
  },
  {
    name: "a pending order is set free twice",
    file: "src/engine/orders/waiting-orders.ts",
    line: "if (isPending && !free.has(orderId)) activations.push(orderId);",
    mistake: "if (isPending) activations.push(orderId);",
    caughtBy: {
      file: RESUMING,
      test: "an auction that fills a working order > sets its pending order free once, when trading begins",
    },
  },
  {
    name: "a stop is reached one tick late",
    file: "src/engine/book/triggers.ts",
    line: "this.#above.takeLast(({ triggerTicks }) => triggerTicks <= priceTicks)",
    mistake: "this.#above.takeLast(({ triggerTicks }) => triggerTicks < priceTicks)",
    caughtBy: {
      file: TRIGGERS,
      test: "a trigger > a take-profit waits on the better side of the last price",
    },
  },
  {
    name: "a trailing stop follows the market away too",
    file: "src/engine/book/triggers.ts",
    line: "if (bestTicks !== 0 && !isBetter) return;",
    mistake: "if (bestTicks !== 0 && !isBetter && bestTicks === priceTicks) return;",
    caughtBy: {
      file: TRIGGERS,
      test: "a trigger > a trailing stop to sell follows the highest price and never moves away",
    },
  },
  {
    name: "of two stops that one trade reaches the later goes first",
    file: "src/engine/book/triggers.ts",
    line: "for (const orderId of ids.sort()) activations.push(orderId);",
    mistake: "for (const orderId of ids.sort().reverse()) activations.push(orderId);",
    caughtBy: {
      file: TRIGGERS,
      test: "a trigger > of those that one trade reaches the lower order id goes first, whatever their prices",
    },
  },
  {
    name: "of two timers the later goes first",
    file: "src/engine/time/timers.ts",
    line: "if (a.dueMs !== b.dueMs) return a.dueMs < b.dueMs;",
    mistake: "if (a.dueMs !== b.dueMs) return a.dueMs > b.dueMs;",
    caughtBy: {
      file: "src/engine/time/timers.test.ts",
      test: "timers > come out by time, then kind, then id, whatever was added and removed between",
    },
  },
  {
    name: "of two things due at once the wrong kind happens first",
    file: "src/engine/time/timers.ts",
    line: "if (a.kind !== b.kind) return a.kind < b.kind;",
    mistake: "if (a.kind !== b.kind) return a.kind > b.kind;",
    caughtBy: {
      file: "src/engine/time/timers.test.ts",
      test: "timers > come out by time, then kind, then id, whatever was added and removed between",
    },
  },
  {
    name: "an amended order is said to have left the book where it stayed",
    file: "src/engine/event-buffer.ts",
    line: "rows[at + 6] = (sells ? 1 : 0) | (keptPriority ? 2 : 0);",
    mistake: "rows[at + 6] = sells ? 1 : 0;",
    caughtBy: {
      file: "src/engine/event-buffer.test.ts",
      test: "an event buffer > gives back every event as it was written, stamped with its command",
    },
  },
  {
    name: "an amendment to less loses its place",
    file: "src/engine/orders/amending-resting.ts",
    line: "const keepsPriority = newTicks === oldTicks && newTotal < oldTotal;",
    mistake: "const keepsPriority = false;",
    caughtBy: {
      file: RESTING,
      test: "amending > is refused below what is filled, without a change, across for post-only, too large or dear",
    },
  },
  {
    name: "an amendment to more keeps its place",
    file: "src/engine/orders/amending-resting.ts",
    line: "const keepsPriority = newTicks === oldTicks && newTotal < oldTotal;",
    mistake: "const keepsPriority = newTicks === oldTicks;",
    caughtBy: {
      file: RESTING,
      test: "amending > an iceberg loses hidden lots first",
    },
  },
  {
    name: "an amendment counts what is filled twice",
    file: "src/engine/orders/amending-resting.ts",
    line: "const newRemaining = newTotal - (oldTotal - oldRemaining);",
    mistake: "const newRemaining = newTotal;",
    caughtBy: {
      file: RESTING,
      test: "amending > an iceberg loses hidden lots first",
    },
  },
  {
    name: "an amended pair holds what both of its orders need",
    file: "src/engine/orders/amending.ts",
    line: "const beyond = Math.max(0, trigger.neededAmount - newHold);",
    mistake: "const beyond = trigger.neededAmount;",
    caughtBy: {
      file: AMENDING,
      test: "an OCO pair that is amended > to buy holds the larger of both needs, whichever order is amended",
    },
  },
  {
    name: "the stop of a pair keeps its quantity where that of the limit order is amended",
    file: "src/engine/orders/amending.ts",
    line: "return amendPair(state, limit, waitingAmendmentOf(state, trigger, { quantityLots }));",
    mistake: "return amendPair(state, limit, waitingAmendmentOf(state, trigger, {}));",
    caughtBy: {
      file: AMENDING,
      test: "an OCO pair that is amended > has one quantity: amending either order changes both",
    },
  },
  {
    name: "an amended stop stays where its old trigger price put it",
    file: "src/engine/orders/amending-waiting.ts",
    line: "  if (moves) book.triggers.remove(details);\n",
    mistake: "",
    caughtBy: {
      file: AMENDING,
      test: "an OCO pair that is amended > moves its stop alone, trigger price and limit price",
    },
  },
  {
    name: "a pending stop is amended to where its entry's fill triggers it",
    file: "src/engine/orders/amending.ts",
    line: 'if (changesTrigger && isTriggeredByFill(state, list, amendment)) return "wouldTriggerAtOnce";',
    mistake: "",
    caughtBy: {
      file: AMENDING,
      test: "an order that waits for its working order > is not triggered by the very fill that sets it free",
    },
  },
  {
    name: "a replacement does not count on what the old order holds",
    file: "src/engine/orders/placing.ts",
    line: "validateHold(state, order, order.heldAmount, old?.heldAmount ?? 0);",
    mistake: "validateHold(state, order, order.heldAmount, 0);",
    caughtBy: {
      file: RESTING,
      test: "cancel-replace > what the old order holds is available to the new one",
    },
  },
  // What a book offers
  {
    name: "a level's total forgets what icebergs hide",
    file: "src/engine/book/order-book.ts",
    line: "return this.icebergCount === 0 ? visibleLots : visibleLots + this.levels.hiddenLotsOf(level);",
    mistake: "return visibleLots;",
    caughtBy: {
      file: "src/engine/book/liquidity.test.ts",
      test: "own orders out of reach take nothing off what is within",
    },
  },
  {
    name: "an iceberg that leaves its level stays in the level's hidden lots",
    file: "src/engine/book/order-book.ts",
    line: "if (this.icebergCount !== 0) this.#countHidden(slot, level, -1);",
    mistake: "",
    caughtBy: {
      file: "src/engine/book/liquidity.test.ts",
      test: "a level's hidden lots > leave the level with the iceberg that hid them",
    },
  },
  {
    name: "a fill-or-kill counts orders of its own account",
    file: "src/engine/book/liquidity.ts",
    line: "let left = passesOver ? lots + own.lots : lots;",
    mistake: "let left = lots;",
    caughtBy: {
      file: "src/engine/book/liquidity.test.ts",
      test: "own orders out of reach take nothing off what is within",
    },
  },
  {
    name: "own orders out of a fill-or-kill's reach are taken off all the same",
    file: "src/engine/book/liquidity.ts",
    line: "return left <= behind;",
    mistake: "return left <= 0;",
    caughtBy: {
      file: "src/engine/book/liquidity.test.ts",
      test: "own orders out of reach take nothing off what is within",
    },
  },
  {
    name: "orders set free that are left over are forgotten",
    file: "src/engine/orders/activating.ts",
    line: "activations.length > 0 && taken < ordersPerCommandMax; taken++) {",
    mistake:
      "activations.length > 0; taken++) {\n      if (taken >= ordersPerCommandMax) {\n        activations.take();\n        continue;\n      }",
    caughtBy: {
      file: "src/engine/orders/work-limit.test.ts",
      test: "orders that one trade sets free > more than one command may activate, at different prices > leave one that was placed after the trade to wait for a trade of its own",
    },
  },
  {
    name: "the stops that more than one command may activate lose the page that a price parts",
    file: "src/engine/book/sorted-pages.ts",
    line: "if (split.length > 0) this.#pages.push(split);",
    mistake: "",
    caughtBy: {
      file: "src/engine/book/sorted-pages.test.ts",
      test: "sorted pages > hold what a sorted array would hold, through any additions and removals",
    },
  },
  {
    name: "many stops that one price reaches are sorted, whatever the limit of work",
    file: "src/engine/book/triggers.ts",
    line: "if (count > ordersMax) {",
    mistake: "if (count > Infinity) {",
    caughtBy: {
      file: "src/engine/book/triggers.test.ts",
      test: "the triggers of a market > set free those that are reached first where they are more than one command may activate",
    },
  },
  {
    name: "a cancel timer forgets what it has left open",
    file: "src/engine/orders/cancelling.ts",
    line: "else cancelTimers.set(account, marketId, timer.dueMs);",
    mistake: "",
    caughtBy: {
      file: "src/engine/orders/work-limit.test.ts",
      test: "a cancel timer that ends more orders than one command may > fires again at the next commands, between which others have theirs",
    },
  },
  {
    name: "a snapshot forgets which orders were set free",
    file: "src/engine/orders/work-limit.ts",
    line: "  activations.push(orderId);\n",
    mistake: "",
    caughtBy: {
      file: "src/engine/orders/work-limit.test.ts",
      test: "orders that one trade sets free > more than one command may activate, at different prices > are activated as the price reached them, those at one price as they were placed",
    },
  },
  {
    name: "an order that an auction is about to trade is cancelled",
    file: "src/engine/orders/cancelling.ts",
    line: '    return "marketBusy";\n',
    mistake: "",
    caughtBy: {
      file: UNCROSSINGS,
      test: "while an auction trades > its orders can be neither cancelled nor amended nor replaced, and no order comes in",
    },
  },
  {
    name: "a snapshot forgets what an auction has left to trade",
    file: "src/engine/state.ts",
    line: "readUncrossings(snapshot, this.uncrossings);",
    mistake: "readUncrossings(snapshot, []);",
    caughtBy: {
      file: UNCROSSINGS,
      test: "an auction of more pairs than one command may trade > is due now, also in an exchange that was restored in the middle of it",
    },
  },
  {
    name: "money comes in between two parts of an auction that has not asked for it",
    file: "src/engine/dispatch.ts",
    line: "if (CREDITING_COMMANDS.has(type)) continueUncrossings(state, NO_LIMIT);",
    mistake: "",
    caughtBy: {
      file: UNCROSSINGS,
      test: "while an auction trades > money that could lift an account beyond what it may own comes after the last pair",
    },
  },
  {
    name: "a market reopens before its orders have ended",
    file: "src/engine/markets/market-states.ts",
    line: 'if (isBusy) return "marketBusy";',
    mistake: "",
    caughtBy: {
      file: MASS_CANCELS,
      test: "closing a market of more orders than one command may end > takes no order, and no other state, until the last has ended",
    },
  },
  {
    name: "what a frozen account places once it is free ends with what it had before",
    file: "src/engine/orders/mass-cancels.ts",
    line: "if (orderId > upToOrderId) break;",
    mistake: "",
    caughtBy: {
      file: MASS_CANCELS,
      test: "freezing an account of more orders than one command may end > ends the rest with the next commands, and none that it places once it is free again",
    },
  },
  {
    name: "the first order to be reached stands in another page than it is sought in",
    file: "src/engine/book/sorted-pages.ts",
    line: "this.#pages.splice(at + 1, 0, page.splice(PAGE_ITEMS_MAX >> 1));",
    mistake: "this.#pages.push(page.splice(PAGE_ITEMS_MAX >> 1));",
    caughtBy: {
      file: "src/engine/book/sorted-pages.test.ts",
      test: "sorted pages > hold thousands in order",
    },
  },
  // Price ladder and tables
  {
    name: "the ladder passes over the next price",
    file: "src/engine/book/price-nodes.ts",
    line: "let bits = this.#bits[word] & (-2 << (slot & 31));",
    mistake: "let bits = this.#bits[word] & (-4 << (slot & 31));",
    caughtBy: {
      file: LADDER,
      test: "a price ladder > follows a market that runs through a million ticks",
    },
  },
  {
    name: "the ladder looks for the next price in half of a node",
    file: "src/engine/book/price-nodes.ts",
    line: "if ((word & 1) === 1) return NO_SLOT;",
    mistake: "return NO_SLOT;",
    caughtBy: {
      file: LADDER,
      test: "a price ladder > keeps thousands of levels, together and far apart, and gives them up one by one",
    },
  },
  {
    name: "the ladder forgets that a price has no level any more",
    file: "src/engine/book/price-nodes.ts",
    line: "this.#bits[slot >> 5] &= ~(1 << slot);",
    mistake: "",
    caughtBy: {
      file: PROPERTIES,
      test: "every sequence of commands > with a touch that jumps",
    },
  },
  {
    name: "a level is found at another price",
    file: "src/engine/book/price-ladder.ts",
    line: "if (this.#levels.priceOf(found) === priceTicks) return found;",
    mistake: "if (found !== NO_LEVEL) return found;",
    caughtBy: {
      file: PROPERTIES,
      test: "every sequence of commands > at prices of any size",
    },
  },
  {
    name: "a price above all prices of a node is put below it",
    file: "src/engine/book/price-ladder.ts",
    line: "return offset >= 0 && offset < SPANS[node & DIGIT_MASK];",
    mistake: "return offset >= 0;",
    caughtBy: {
      file: LADDER,
      test: "a price ladder > walks any prices of both sides, which never cross, from the best to the worst",
    },
  },
  {
    name: "prices that differ in high digits are told apart by a low one",
    file: "src/engine/book/price-ladder.ts",
    line: "if (high !== 0) return IS_HIGH | digitShift(high);",
    mistake: "",
    caughtBy: {
      file: LADDER,
      test: "a price ladder > walks any prices of both sides, which never cross, from the best to the worst",
    },
  },
  {
    name: "a node is given up while it has children",
    file: "src/engine/book/price-nodes.ts",
    line: "return (low === 0 || high === 0) && (word & (word - 1)) === 0;",
    mistake: "return (word & (word - 1)) === 0;",
    caughtBy: {
      file: LADDER,
      test: "a price ladder > walks any prices of each side, wherever the other stands, from the best to the worst",
    },
  },
  {
    name: "a node that is used again still names a free one",
    file: "src/engine/book/price-nodes.ts",
    line: "this.#slots[node << DIGIT_BITS] = NO_CHILD;",
    mistake: "",
    caughtBy: {
      file: LADDER,
      test: "a price ladder > keeps thousands of levels, together and far apart, and gives them up one by one",
    },
  },
  {
    name: "an order freed from the middle of a chain takes others with it",
    file: "src/engine/book/order-table.ts",
    line: "this.#setChainNext(before, after);",
    mistake: "this.#setChainNext(before, NONE);",
    caughtBy: {
      file: "src/engine/book/order-table.test.ts",
      test: "the order table > finds every open order and no other, whatever ids share a chain",
    },
  },
  {
    name: "a taker keeps the hold of a better price",
    file: "src/engine/book/matching.ts",
    line: "notionalOf(book, limitTicks, tradedLots) - tradedNotional",
    mistake: "0",
    caughtBy: {
      file: MODEL,
      test: "the engine does what an independent model of every order type does > around one touch",
    },
  },
  // The fast path of plain orders
  {
    name: "a plain order keeps the hold of a better price",
    file: "src/engine/orders/plain-orders.ts",
    line: "buys ? notionalOf(book, priceTicks, tradedLots) - tradedNotional : 0,",
    mistake: "0,",
    caughtBy: {
      file: SCRIPTS,
      test: "limit orders > the best price trades first, then the oldest order at a price",
    },
  },
  {
    name: "a plain order trades with its own account",
    file: "src/engine/orders/plain-orders.ts",
    line: "if (makerAccount === account || orders.hasDetails(maker)) {",
    mistake: "if (orders.hasDetails(maker)) {",
    caughtBy: {
      file: SCRIPTS,
      test: "no account trades with itself > the rest of an order that meets its own account expires",
    },
  },
  {
    name: "a plain order takes an iceberg for an order without more",
    file: "src/engine/orders/plain-orders.ts",
    line: "if (makerAccount === account || orders.hasDetails(maker)) {",
    mistake: "if (makerAccount === account) {",
    caughtBy: {
      file: MODEL,
      test: "the engine does what an independent model of every order type does > while the house works",
    },
  },
  {
    name: "a plain order passes the limit of open orders",
    file: "src/engine/orders/plain-orders.ts",
    line: "if (!isImmediate && accounts.openOrderCount(account) >= plan.openOrdersMax) return false;",
    mistake:
      "if (!isImmediate && accounts.openOrderCount(account) > plan.openOrdersMax) return false;",
    caughtBy: {
      file: SCRIPTS,
      test: "limits and refusals > an account has at most as many open orders as its plan allows",
    },
  },
  {
    name: "a plain order goes the general path with what it has traded already",
    file: "src/engine/orders/plain-orders.ts",
    line: "order.remainingLots = leftLots;",
    mistake: "order.remainingLots = terms.quantityLots;",
    caughtBy: {
      file: MODEL,
      test: "the engine does what an independent model of every order type does > while the house works",
    },
  },
  {
    name: "what a plain order takes does not count as volume of its account",
    file: "src/engine/orders/plain-orders.ts",
    line: "if (countsVolume) state.feeTiers.addVolume(account, tradedNotional);",
    mistake: "",
    caughtBy: {
      file: HOUSE,
      test: "an earned plan > is chosen with its volume, and lapses at the end of a month without it",
    },
  },
  {
    name: "an immediate order keeps the hold of what it did not get",
    file: "src/engine/orders/plain-orders.ts",
    line: "if (!isFilled) ledger.release(account, spentAssetId, releasedAmount);",
    mistake: "",
    caughtBy: {
      file: SCRIPTS,
      test: "time in force > immediate or cancel trades what it can and never waits",
    },
  },
  {
    name: "a frozen account places plain orders",
    file: "src/engine/orders/plain-orders.ts",
    line: "if (accounts.isFrozen(account)) return false;",
    mistake: "",
    caughtBy: {
      file: HOUSE,
      test: "a frozen account > changes no plan and places nothing but may cancel; its orders stay and trade",
    },
  },
  // Once
  {
    name: "an idempotency key is forgotten at once",
    file: "src/engine/engine.ts",
    line: "idempotencyKeys.remember(key, account, { sequence, orderId, content }, nowMs);",
    mistake: "",
    caughtBy: {
      file: "src/engine/engine.test.ts",
      test: "idempotency keys > answer a repeat with the first outcome for three days",
    },
  },
  {
    name: "two keys of one hash are taken for one another",
    file: "src/engine/idempotency/remembered-texts.ts",
    line: "if (bytes[start + at] !== sought[at]) return false;",
    mistake: "",
    caughtBy: {
      file: "src/engine/idempotency/remembered-texts.test.ts",
      test: "remembered texts > are what a list of them would say, in order, found unit by unit, also after a snapshot",
    },
  },
  {
    name: "a key that goes takes those that it had pushed on with it",
    file: "src/engine/idempotency/slot-index.ts",
    line: "      cells[hole * CELL_NUMBERS + 1] = cells[cell * CELL_NUMBERS + 1];\n      hole = cell;",
    mistake: "",
    caughtBy: {
      file: "src/engine/idempotency/slot-index.test.ts",
      test: "the index finds what was added and not removed, however the hashes crowd",
    },
  },
  {
    name: "an order that outlives the window of ids loses its own",
    file: "src/engine/idempotency/client-order-ids.ts",
    line: "this.#keepAged({ ...order, isAged: true });",
    mistake: "",
    caughtBy: {
      file: "src/engine/idempotency/client-order-ids.test.ts",
      test: "client order ids > of open orders are kept for as long as they are open, and no longer",
    },
  },
  // The journal's commands
  {
    name: "a price loses its low digits on the way to the journal",
    file: "src/engine/formats/command-codec.ts",
    line: "view.setFloat64(offset + 20, command.priceTicks, true);",
    mistake: "view.setFloat64(offset + 20, Math.fround(command.priceTicks), true);",
    caughtBy: {
      file: "src/engine/formats/command-codec.test.ts",
      test: "a command in bytes > can stand anywhere in a larger buffer, next to others",
    },
  },
  {
    name: "a truncated command is read as a whole one",
    file: "src/engine/formats/command-codec.ts",
    line: "  if (actual !== expected) {\n    throw",
    mistake: "  if (actual > expected + 1e9) {\n    throw",
    caughtBy: {
      file: "src/engine/formats/command-codec.test.ts",
      test: "a command in bytes > of fewer or more bytes than it says is refused",
    },
  },
  // Journal
  {
    name: "a group is acknowledged before it is flushed",
    file: "src/journal/file-journal.ts",
    line: "      await flushFile(file, path);\n      this.#position += extent;",
    mistake: "      void flushFile(file, path).catch(() => {});\n      this.#position += extent;",
    caughtBy: {
      file: JOURNAL,
      test: "crashes > every acknowledged group survives, and at most the one under way beside it",
    },
  },
  {
    name: "the journal continues after a failed write",
    file: "src/journal/file-journal.ts",
    line: "if (this.#refusal !== undefined) throw this.#refusal;",
    mistake: "",
    caughtBy: {
      file: JOURNAL,
      test: "crashes > a failed write or flush ends the journal for good and loses nothing acknowledged",
    },
  },
  {
    name: "a short write passes for a whole one",
    file: "src/journal/segments.ts",
    line: "if (written !== bytes.length) {",
    mistake: "if (written > bytes.length) {",
    caughtBy: {
      file: JOURNAL,
      test: "crashes > a failed write or flush ends the journal for good and loses nothing acknowledged",
    },
  },
  {
    name: "a segment is named before its header is on disk",
    file: "src/journal/file-journal.ts",
    line: "      await file.flush();\n      this.#fileSystem.rename(preparedPath, path);",
    mistake: "      this.#fileSystem.rename(preparedPath, path);",
    caughtBy: {
      file: JOURNAL,
      test: "crashes > every acknowledged group survives, and at most the one under way beside it",
    },
  },
  {
    name: "the directory of a new segment is not flushed",
    file: "src/journal/file-journal.ts",
    line: "      this.#fileSystem.rename(preparedPath, path);\n      await this.#fileSystem.flushDirectory(this.#directory);",
    mistake: "      this.#fileSystem.rename(preparedPath, path);",
    caughtBy: {
      file: JOURNAL,
      test: "crashes > every acknowledged group survives, and at most the one under way beside it",
    },
  },
  {
    name: "damage in the middle is cut like a torn tail",
    file: "src/journal/file-journal.ts",
    line: 'if (tail.kind === "damaged") {',
    mistake: 'if (tail.kind === "damaged" && offset < 0) {',
    caughtBy: {
      file: JOURNAL,
      test: "flipped bits > damage of the last group, complete as it is, is not taken for an interrupted write",
    },
  },
  {
    name: "a segment that does not follow the last one is accepted",
    file: "src/journal/segments.ts",
    line: "if (chain !== reader.chain) {",
    mistake: "if (chain === -1) {",
    caughtBy: {
      file: JOURNAL,
      test: "segments > of a history that went another way stop the start",
    },
  },
  {
    name: "a missing segment goes unnoticed",
    file: "src/journal/segments.ts",
    line: "refuse(`segment ${number} is missing`)",
    mistake: "void 0",
    caughtBy: { file: JOURNAL, test: "segments > a missing one stops the start" },
  },
  {
    name: "a compressed segment replaces the plain one unread",
    file: "src/journal/compress-segments.ts",
    line: "verifyCompressed(fileSystem, partial, { segment, successor, digest });",
    mistake: "",
    caughtBy: {
      file: "test/disk/compressed-journal.test.ts",
      test: "damage > of what was just written keeps the plain segment",
    },
  },
  {
    name: "groups that do not come back from their columns are stored in columns all the same",
    file: "src/journal/columns/frame.ts",
    line: "if (Buffer.compare(decodeGroups(groups.columns, part.length), part) === 0) {",
    mistake: "if (part.length > 0) {",
    caughtBy: {
      file: "src/journal/columns/frame.test.ts",
      test: "a frame > of damaged groups, or of none, has the bytes as they are",
    },
  },
  {
    name: "a segment is replaced by a link to a copy in the archive that was not read back",
    file: "src/journal/archive-segments.ts",
    line: "verifyCopy(fileSystem, source, partial);",
    mistake: "",
    caughtBy: {
      file: "test/disk/archived-journal.test.ts",
      test: "a journal with archived segments > keeps a segment whose copy is not what was written",
    },
  },
  {
    name: "a plain segment goes before its compressed file is on the disk",
    file: "src/journal/compress-segments.ts",
    line: "fileSystem.rename(partial, target);\n    await fileSystem.flushDirectory(directory);",
    mistake: "fileSystem.rename(partial, target);",
    caughtBy: {
      file: "test/disk/compressed-journal.test.ts",
      test: "an interruption > finds the compressed segment on the disk before the plain one is removed",
    },
  },
  {
    name: "a compressed journal without its newest segment is opened",
    file: "src/journal/segments.ts",
    line: 'if (opened.form === "plain") return;',
    mistake: 'if (opened.form === "plain" || true) return;',
    caughtBy: {
      file: "test/disk/compressed-journal.test.ts",
      test: "a journal with compressed segments > without its newest segment is refused",
    },
  },
  {
    name: "what recovery read from the cache is not flushed",
    file: "src/journal/file-journal.ts",
    line: "writeAgain(file, path, groupAt, offset);\n      await flushFile(file, path);",
    mistake: "writeAgain(file, path, groupAt, offset);",
    caughtBy: {
      file: JOURNAL,
      test: "crashes > every acknowledged group survives, and at most the one under way beside it",
    },
  },
  {
    name: "what a failed flush left in the cache is not written again",
    file: "src/journal/file-journal.ts",
    line: "writeAgain(file, path, groupAt, offset);",
    mistake: "",
    caughtBy: {
      file: JOURNAL,
      test: "crashes > every acknowledged group survives, and at most the one under way beside it",
    },
  },
  // Sequencer
  {
    name: "events leave before their commands are on disk",
    file: "src/server/exchange/sequencer.ts",
    line: "      await whenDurable(written, (error) => this.#output.await(error));\n",
    mistake: "      void written.catch(() => {});\n",
    caughtBy: {
      file: "src/server/exchange/sequencer.test.ts",
      test: "nothing is released before its group is on disk",
    },
  },
  {
    name: "the sequencer continues after the journal failed",
    file: "src/server/exchange/sequencer.ts",
    line: "this.#hasStopped = true;\n    this.#queue.length = 0;",
    mistake: "this.#queue.length = 0;",
    caughtBy: {
      file: "src/server/exchange/sequencer.test.ts",
      test: "failures > a command that breaks the engine stops it and never reaches the journal",
    },
  },
  {
    name: "what was gathered when the engine broke is written",
    file: "src/server/exchange/sequencer.ts",
    line: "if (!this.#hasStopped && !this.#isCommitting && this.#count > 0)",
    mistake: "if (!this.#isCommitting && this.#count > 0)",
    caughtBy: {
      file: "src/server/exchange/sequencer.test.ts",
      test: "failures > nothing that was gathered when the engine broke reaches the journal",
    },
  },
  // What the parts of the state, the money and the texts share
  {
    name: "the parts of a record that are lists do not say how long they are",
    file: "src/engine/formats/record-format.ts",
    line: "if (!to.isHash) to.int((value as number[]).length);",
    mistake: "",
    caughtBy: {
      file: RECORD_FORMAT,
      test: "records come back from a snapshot as they were written",
    },
  },
  {
    name: "a snapshot cuts the numbers of records to 32 bits",
    file: "src/engine/formats/record-format.ts",
    line: 'if (kind === "number") to.number(value as number);',
    mistake: 'if (kind === "number") to.int(value as number);',
    caughtBy: {
      file: RECORD_FORMAT,
      test: "records come back from a snapshot as they were written",
    },
  },
  {
    name: "the state's hash leaves out the flags of records",
    file: "src/engine/formats/state-hash.ts",
    line: "this.number(value ? 1 : 0);",
    mistake: "",
    caughtBy: { file: RECORD_FORMAT, test: "each field of each record counts in the hash" },
  },
  {
    name: "more records are asked for than bytes can hold",
    file: "src/engine/formats/record-format.ts",
    line: "snapshot.count(this.bytesMin)",
    mistake: "snapshot.count(0)",
    caughtBy: {
      file: RECORD_FORMAT,
      test: "more records than there can be bytes for are refused before any is read",
    },
  },
  {
    name: "a part of the state that is new changes the hashes of before",
    file: "src/engine/formats/record-format.ts",
    line: "if (to.isHash && records.length === 0 && !this.#isInOldHashes) return;",
    mistake: "",
    caughtBy: {
      file: GOLDEN,
      test: "the golden journal format-1 > leads to the state hash that was recorded, each change of it decided",
    },
  },
  {
    name: "a price is worth the same in every market",
    file: "src/engine/money-formulas.ts",
    line: "return (priceTicks * lots * units.tickLotUnits) as Amount;",
    mistake: "return (priceTicks * lots) as Amount;",
    caughtBy: {
      file: GOLDEN,
      test: "the golden journal format-1 > leads to every event that it led to then",
    },
  },
  {
    name: "lots are base units",
    file: "src/engine/money-formulas.ts",
    line: "return (lots * units.lotUnits) as Amount;",
    mistake: "return lots as Amount;",
    caughtBy: {
      file: GOLDEN,
      test: "the golden journal format-1 > leads to every event that it led to then",
    },
  },
  {
    name: "a seller holds what a buyer pays",
    file: "src/engine/money-formulas.ts",
    line: "return side === BID ? notionalOf(units, priceTicks, lots) : baseAmountOf(units, lots);",
    mistake: "return notionalOf(units, priceTicks, lots);",
    caughtBy: {
      file: GOLDEN,
      test: "the golden journal format-1 > leads to every event that it led to then",
    },
  },
  {
    name: "an amount is enough for one lot more",
    file: "src/engine/money-formulas.ts",
    line: "return divideRoundingDown(quoteAmount, priceTicks * units.tickLotUnits) as Lots;",
    mistake:
      "return (divideRoundingDown(quoteAmount, priceTicks * units.tickLotUnits) + 1) as Lots;",
    caughtBy: {
      file: GOLDEN,
      test: "the golden journal format-1 > leads to every event that it led to then",
    },
  },
  {
    name: "half of each letter beyond ASCII is remembered",
    file: "src/engine/formats/text-bytes.ts",
    line: "this.bytes[at * 2 + 1] = unit >> 8;",
    mistake: "",
    caughtBy: {
      file: "src/engine/idempotency/remembered-texts.test.ts",
      test: "remembered texts > are hashed as their texts are",
    },
  },
  {
    name: "a field of a definition may be anything",
    file: "src/engine/markets/definition-fields.ts",
    line: "entries.every(([name, field]) => field.accepts((value as T)[name])),",
    mistake: "entries.length > 0,",
    caughtBy: { file: ENGINE, test: "the catalogue > refuses a coin in lower case" },
  },
  {
    name: "a market has orders beyond exact amounts",
    file: "src/engine/markets/definitions.ts",
    line: "    quantityLotsMax <= Math.floor(AMOUNT_MAX / lotUnits) &&\n",
    mistake: "",
    caughtBy: { file: ENGINE, test: "the catalogue > refuses orders beyond exact amounts" },
  },
  {
    name: "requests are carried out however late they come",
    file: "src/engine/dispatch.ts",
    line: "validateTimeLimit(validUntilMs, state.nowMs) ?? ",
    mistake: "",
    caughtBy: {
      file: COMBINATIONS,
      test: "a command with a time limit > is refused past it and changes nothing, whatever it asks for",
    },
  },
  {
    name: "an amendment that kept its place is told to have lost it",
    file: "src/engine/event-rows.ts",
    line: "keptPriority: (rows[at + 6] & 2) === 2,",
    mistake: "keptPriority: false,",
    caughtBy: {
      file: "src/engine/event-buffer.test.ts",
      test: "an event buffer > gives back every event as it was written, stamped with its command",
    },
  },
  // Several nodes
  {
    name: "a command without a key is sent to the next leader without one",
    file: "src/server/cluster/cluster-commands.ts",
    line: 'key: key === "" ? newId() : key,',
    mistake: "key,",
    caughtBy: SIMULATED_CLUSTER,
  },
  {
    name: "a command is sent on to a leader whose term has ended",
    file: "src/server/cluster/cluster-commands.ts",
    line: "while (this.#term === term && !this.#isLeading && this.#failure === undefined) {",
    mistake: "while (!this.#isLeading && this.#failure === undefined) {",
    caughtBy: SIMULATED_CLUSTER,
  },
  {
    name: "a client is told that its repeated command was accepted before",
    file: "src/server/cluster/cluster-commands.ts",
    line: "return attempts.mayBeTaken ? this.#firstOf(outcome) : outcome;",
    mistake: "return outcome;",
    caughtBy: SIMULATED_CLUSTER,
  },
  {
    name: "a leader takes a request that is sent again",
    file: "src/server/cluster/command-intake.ts",
    line: "if (known !== undefined) return known.reply;",
    mistake: "",
    caughtBy: SIMULATED_CLUSTER,
  },
  {
    name: "a writer takes another one's message for its own",
    file: "src/journal/jetstream/jetstream-journal.ts",
    line: "if (isOwn && Buffer.compare(found.data, data) === 0) return;",
    mistake: "return;",
    caughtBy: ON_NATS,
  },
  {
    name: "a writer appends wherever the stream ends",
    file: "src/journal/jetstream/jetstream-journal.ts",
    line: "expect: { streamName: this.#stream, lastSequence: position - 1 },",
    mistake: "expect: { streamName: this.#stream },",
    caughtBy: ON_NATS,
  },
  {
    name: "a writer begins without a term",
    file: "src/journal/jetstream/jetstream-journal.ts",
    line: "if (isWriter) await journal.takeOver();",
    mistake: "if (isWriter && journal.identity === 0) await journal.takeOver();",
    caughtBy: ON_NATS,
  },
  {
    name: "messages are removed that are in no snapshot any more",
    file: "src/journal/jetstream/shorten-stream.ts",
    line: "if (isLonger && end.nextSequence - 1 <= proven) {",
    mistake: "if (isLonger) {",
    caughtBy: onShortenedStream(
      "a stream that is shortened > keeps everything whose snapshot cannot be restored, or that the archive has otherwise",
    ),
  },
  {
    name: "messages are archived that are in no snapshot",
    file: "src/journal/jetstream/shorten-stream.ts",
    line: "if (isNew || verifier.end.nextSequence - 1 > proven) break;",
    mistake: "if (isNew) break;",
    caughtBy: onShortenedStream(
      "a stream that is shortened > keeps what is newer than a time, or than the snapshots, and ends segments at the same messages",
    ),
  },
  {
    name: "messages are removed whose segments were not read back",
    file: "src/journal/jetstream/shorten-stream.ts",
    line: "await check(files, segments, beginning?.segments ?? 0, header);",
    mistake: "",
    caughtBy: onShortenedStream(
      "a stream that is shortened > keeps everything whose snapshot cannot be restored, or that the archive has otherwise",
    ),
  },
  {
    name: "messages are removed before the archive is on the disk",
    file: "src/journal/jetstream/shorten-stream.ts",
    line: "  await fileSystem.flushDirectory(directory);\n",
    mistake: "",
    caughtBy: onShortenedStream(
      "an interruption > after a segment has its name has the name on the disk before anything is removed",
    ),
  },
  {
    name: "messages are removed before it is written what the stream begins with",
    file: "src/journal/jetstream/shorten-stream.ts",
    line: "await claim.move(beginning);",
    mistake: "",
    caughtBy: onShortenedStream(
      "a stream that is shortened > has everything in front of it in the archive",
    ),
  },
  {
    name: "a leader that was replaced decides where the stream begins",
    file: "src/journal/jetstream/stream-beginning.ts",
    line: "if (written === undefined) throw fenced(this.#term);",
    mistake: "",
    caughtBy: onShortenedStream(
      "a leader that was paused > decides nothing once its successor archives elsewhere",
    ),
  },
  {
    name: "an older engine follows a newer one",
    file: "src/journal/jetstream/jetstream-journal.ts",
    line: "if (engineVersion > own) throw new JournalNewerError(term, engineVersion, own);",
    mistake: "",
    caughtBy: {
      file: "test/crashes/jetstream-journal.test.ts",
      test: "a journal on NATS > is followed and continued by no older engine than the one that led last",
      isOnNats: true,
    },
  },
  {
    name: "a client is told that its command was not taken, which an earlier leader may have done",
    file: "src/server/cluster/cluster-commands.ts",
    line: "if (!attempts.mayBeTaken || !(error instanceof ExchangeBusyError)) throw error;",
    mistake: "throw error;",
    caughtBy: SIMULATED_CLUSTER,
  },
];
