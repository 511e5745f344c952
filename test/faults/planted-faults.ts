/**
 * Faults that the tests must notice: each is one small, plausible mistake in the engine, the ledger
 * or the journal, with the tests that have to fail because of it. A fault whose line no longer
 * exists fails too: then the list is out of date.
 */
export interface PlantedFault {
  /** What would go wrong. */
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly line: string;
  readonly mistake: string;
  /** Files of tests, one of which must fail. */
  readonly caughtBy: readonly string[];
}

const PROPERTIES = "test/simulation/engine-properties.test.ts";
const SCRIPTS = "test/simulation/engine-scripts.test.ts";
const HOUSE = "test/simulation/engine-scripts-house.test.ts";
const SNAPSHOTS = "test/simulation/engine-snapshots.test.ts";
const MODEL = "test/simulation/engine-order-model.test.ts";
const MARKETS = "test/simulation/engine-scripts-markets.test.ts";
const RESTING = "test/simulation/engine-scripts-resting.test.ts";
const TRIGGERS = "test/simulation/engine-scripts-triggers.test.ts";
const OWN_ORDERS = "test/simulation/engine-scripts-own-orders.test.ts";
const COMBINATIONS = "test/simulation/engine-scripts-combinations.test.ts";
const RESUMING = "test/simulation/engine-scripts-resuming.test.ts";
const LISTS = "test/simulation/engine-scripts-lists.test.ts";
const JOURNAL = "test/simulation/journal.test.ts";

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  // Arithmetic
  {
    name: "a fee is rounded down",
    file: "src/engine/amount.ts",
    line: "return quotient * b === a ? quotient : quotient + 1;",
    mistake: "return quotient;",
    caughtBy: ["src/engine/amount.test.ts", SCRIPTS],
  },
  {
    name: "a fee on a large amount overflows",
    file: "src/engine/amount.ts",
    line: "return whole * bps + divideRoundingUp(rest * bps, BPS_ONE);",
    mistake: "return divideRoundingUp(value * bps, BPS_ONE);",
    caughtBy: ["src/engine/amount.test.ts"],
  },
  {
    name: "a fraction counts as an amount",
    file: "src/engine/amount.ts",
    line: "return Number.isSafeInteger(value) && value >= 0;",
    mistake: "return value >= 0;",
    caughtBy: ["src/engine/amount.test.ts"],
  },
  // Ledger
  {
    name: "a far trade keeps the band away from the best prices",
    file: "src/engine/price-limits.ts",
    line: "return Math.max(book.bestTicks(BID), Math.min(book.bestTicks(ASK), centre));",
    mistake: "return centre;",
    caughtBy: [MARKETS],
  },
  {
    name: "the first order of a market has no limits",
    file: "src/engine/price-limits.ts",
    line: "return book.ladder.best(opposite) === NO_LEVEL ? 0 : book.bestTicks(opposite);",
    mistake: "return 0;",
    caughtBy: [MARKETS],
  },
  {
    name: "a movement of money leaves its source as it was",
    file: "src/engine/ledger.ts",
    line: "    cells[from] -= amount;\n    cells[to] += amount;",
    mistake: "    cells[to] += amount;",
    caughtBy: ["src/engine/ledger.test.ts", SCRIPTS],
  },
  {
    name: "a hold is not covered",
    file: "src/engine/ledger.ts",
    line: 'if (!(this.#cells[at] >= 0)) throw new InvariantError("a hold is covered");',
    mistake: "",
    caughtBy: ["src/engine/ledger.test.ts"],
  },
  {
    name: "a buyer's better price stays held",
    file: "src/engine/ledger.ts",
    line: "    cells[from] += released;\n    cells[to] += amount - fee;\n",
    mistake: "    cells[to] += amount - fee;\n",
    caughtBy: ["src/engine/ledger.test.ts", SCRIPTS],
  },
  {
    name: "a fee is collected twice",
    file: "src/engine/ledger.ts",
    line: "    cells[fees] += fee;\n",
    mistake: "    cells[fees] += 2 * fee;\n",
    caughtBy: ["src/engine/ledger.test.ts", SCRIPTS],
  },
  {
    name: "a taker who settles keeps what its makers pay in fees",
    file: "src/engine/ledger.ts",
    line: "    cells[spentFees] += makerFees;\n",
    mistake: "    cells[from] += makerFees;\n",
    caughtBy: ["src/engine/ledger.test.ts", SCRIPTS],
  },
  {
    name: "what makers received is not held against what their taker spends",
    file: "src/engine/ledger.ts",
    line: "if (left !== unsettled[1])",
    mistake: "if (left < 0)",
    caughtBy: ["src/engine/ledger.test.ts"],
  },
  // What is remembered
  {
    name: "one account's names make another's forgotten",
    file: "src/engine/client-order-ids.ts",
    line: "this.#drop(window.firstOfLargest);",
    mistake: "this.#drop(window.first);",
    caughtBy: ["src/engine/client-order-ids.test.ts"],
  },
  {
    name: "the account that has the most is the one that had it once",
    file: "src/engine/text-owners.ts",
    line: "if (counts[this.#largest] > this.#othersMax) return this.#largest;",
    mistake: "if (counts[this.#largest] > 0) return this.#largest;",
    caughtBy: ["src/engine/remembered-texts.test.ts", "src/engine/idempotency-keys.test.ts"],
  },
  // Time limits
  {
    name: "a command is carried out past its time limit",
    file: "src/engine/time-limits.ts",
    line: 'return aheadMs < 0 ? "requestExpired" : null;',
    mistake: "return null;",
    caughtBy: [COMBINATIONS],
  },
  {
    name: "a list is placed past its time limit",
    file: "src/engine/placing-lists.ts",
    line: "const late = refuseLate(command, this.#state.nowMs);",
    mistake: "const late = null;",
    caughtBy: [COMBINATIONS],
  },
  {
    name: "the journal forgets an order's time limit",
    file: "src/engine/command-codec.ts",
    line: "bytes[offset + 3] |= HAS_TIME_LIMIT;",
    mistake: "",
    caughtBy: ["src/engine/command-codec.test.ts"],
  },
  {
    name: "a snapshot counts whatever its bytes are",
    file: "src/journal/snapshot-files.ts",
    line: 'if (Buffer.compare(header.subarray(FIELD_BYTES), digest) !== 0) refuse("its checksum is wrong");',
    mistake: "",
    caughtBy: ["src/journal/snapshot-files.test.ts"],
  },
  {
    name: "a packed row does not go on from the one above it",
    file: "src/engine/snapshot.ts",
    line: "const above = at < width ? 0 : values[at - width];",
    mistake: "const above = at <= width ? 0 : values[at - width];",
    caughtBy: ["src/engine/remembered-texts.test.ts", SNAPSHOTS],
  },
  {
    name: "records from before a start are forgotten too early",
    file: "src/server/views/person-records.ts",
    line: "this.#packed = RECORDS_KEPT - this.#items.length;",
    mistake: "this.#packed = 0;",
    caughtBy: ["src/server/views/person-records.test.ts"],
  },
  {
    name: "snapshots forget what is held",
    file: "src/engine/ledger.ts",
    line: "        snapshot.number(held);\n",
    mistake: "        snapshot.number(0);\n",
    caughtBy: [SNAPSHOTS],
  },
  // House: plans, fees, corrections
  {
    name: "today's volume counts today already",
    file: "src/engine/fee-tiers.ts",
    line: "return this.#accounts.volumeBefore(account, this.today);",
    mistake: "return this.#accounts.volumeBefore(account, this.today + 1);",
    caughtBy: ["src/engine/fee-tiers.test.ts"],
  },
  {
    name: "a step of the volume ladder begins above its volume",
    file: "src/engine/fee-tiers.ts",
    line: "if (step.volumeMin > volume) break;",
    mistake: "if (step.volumeMin >= volume) break;",
    caughtBy: ["src/engine/fee-tiers.test.ts"],
  },
  {
    name: "an administrator approves a correction of his own",
    file: "src/engine/adjustments.ts",
    line: 'if (adjustment.proposedBy === approvedBy) return "sameAdministrator";',
    mistake: "",
    caughtBy: [HOUSE],
  },
  {
    name: "a correction is carried out twice",
    file: "src/engine/adjustments.ts",
    line: '  adjustments.remove(adjustmentId);\n  events.rare({ type: "adjustmentApproved"',
    mistake: '  events.rare({ type: "adjustmentApproved"',
    caughtBy: [HOUSE],
  },
  {
    name: "a plan is renewed without being paid",
    file: "src/engine/plan-changes.ts",
    line: "if (amount > 0) ledger.transfer(account, HOUSE_ACCOUNT, terms.currencyId, amount);",
    mistake: "",
    caughtBy: [HOUSE],
  },
  {
    name: "a frozen account changes its plan",
    file: "src/engine/plan-changes.ts",
    line: 'if (accounts.isFrozen(account)) return "accountFrozen";\n    const period',
    mistake: "const period",
    caughtBy: [HOUSE],
  },
  // Orders
  {
    name: "a buyer beyond its limit still trades",
    file: "src/engine/matching.ts",
    line: "if (side === BID ? priceTicks > worstTicks : priceTicks < worstTicks) {",
    mistake: "if (side === BID ? priceTicks > worstTicks + 1 : priceTicks < worstTicks) {",
    caughtBy: [MODEL],
  },
  {
    name: "self-trade prevention that ends the maker ends the taker too",
    file: "src/engine/matching.ts",
    line: "        this.#ending.end(own, END_EXPIRED, BECAUSE.selfTrade, events);\n        return true;",
    mistake:
      "        this.#ending.end(own, END_EXPIRED, BECAUSE.selfTrade, events);\n        order.stoppedBecause = BECAUSE.selfTrade;\n        return false;",
    caughtBy: [RESTING],
  },
  {
    name: "a decrement gives back what it does not take",
    file: "src/engine/matching.ts",
    line: "ownSide === BID ? priceTicks * lots * book.tickLotUnits : lots * book.lotUnits;\n    const ownAssetId",
    mistake:
      "ownSide === BID ? (priceTicks - 1) * lots * book.tickLotUnits : lots * book.lotUnits;\n    const ownAssetId",
    caughtBy: [MODEL],
  },
  {
    name: "an iceberg's next part keeps its place in the queue",
    file: "src/engine/icebergs.ts",
    line: "  book.remove(side, slot);\n  details.hiddenLots -= shownLots;\n  book.append(side, slot, priceTicks, shownLots);",
    mistake: "  book.reduceHidden(slot, shownLots);\n  book.reduce(slot, -shownLots);",
    caughtBy: [RESTING],
  },
  {
    name: "a pair keeps too much of its shared hold",
    file: "src/engine/ending.ts",
    line: "const kept = Math.min(this.holdOf(slot), trigger.neededAmount);",
    mistake: "const kept = this.holdOf(slot);",
    caughtBy: [MODEL],
  },
  {
    name: "the second order of a pair outlives the first one's trade",
    file: "src/engine/ending.ts",
    line: "    else this.endRestOfList(listId, orderId, events);\n  }",
    mistake: "  }",
    caughtBy: [LISTS],
  },
  {
    name: "the state's hash leaves out when a market's state ends",
    file: "src/engine/state.ts",
    line: "    hash.number(book.untilMs);\n",
    mistake: "",
    caughtBy: ["src/engine/state.test.ts"],
  },
  {
    name: "the state's hash leaves out the last price",
    file: "src/engine/state.ts",
    line: "    hash.number(book.lastTicks);\n",
    mistake: "",
    caughtBy: ["src/engine/state.test.ts"],
  },
  {
    name: "an order is amended across one of its own account before an auction",
    file: "src/engine/amending.ts",
    line: '        return "wouldCrossOwnOrder";\n',
    mistake: "",
    caughtBy: [OWN_ORDERS],
  },
  {
    name: "after a halt the newest list goes on first",
    file: "src/engine/activating.ts",
    line: "for (const list of lists.values()) {",
    mistake: "for (const list of [...lists.values()].toReversed()) {",
    caughtBy: [RESUMING],
  },
  {
    name: "a pending order is set free twice",
    file: "src/engine/activating.ts",
    line: "if (isPending && !free.has(orderId)) activations.push(orderId);",
    mistake: "if (isPending) activations.push(orderId);",
    caughtBy: [RESUMING],
  },
  {
    name: "a stop is reached one tick late",
    file: "src/engine/triggers.ts",
    line: "this.#above.takeLast(({ triggerTicks }) => triggerTicks <= priceTicks)",
    mistake: "this.#above.takeLast(({ triggerTicks }) => triggerTicks < priceTicks)",
    caughtBy: [TRIGGERS],
  },
  {
    name: "a trailing stop follows the market away too",
    file: "src/engine/triggers.ts",
    line: "if (bestTicks !== 0 && !isBetter) return;",
    mistake: "if (bestTicks !== 0 && !isBetter && bestTicks === priceTicks) return;",
    caughtBy: [TRIGGERS],
  },
  {
    name: "of two stops that one trade reaches the later goes first",
    file: "src/engine/triggers.ts",
    line: "for (const orderId of ids.sort()) activations.push(orderId);",
    mistake: "for (const orderId of ids.sort().reverse()) activations.push(orderId);",
    caughtBy: [TRIGGERS, MODEL],
  },
  {
    name: "of two timers the later goes first",
    file: "src/engine/timers.ts",
    line: "if (a.dueMs !== b.dueMs) return a.dueMs < b.dueMs;",
    mistake: "if (a.dueMs !== b.dueMs) return a.dueMs > b.dueMs;",
    caughtBy: ["src/engine/timers.test.ts", RESTING],
  },
  {
    name: "of two things due at once the wrong kind happens first",
    file: "src/engine/timers.ts",
    line: "if (a.kind !== b.kind) return a.kind < b.kind;",
    mistake: "if (a.kind !== b.kind) return a.kind > b.kind;",
    caughtBy: ["src/engine/timers.test.ts"],
  },
  {
    name: "an amendment to less loses its place",
    file: "src/engine/amending.ts",
    line: "const keepsPriority = newTicks === oldTicks && newTotal < oldTotal;",
    mistake: "const keepsPriority = false;",
    caughtBy: [RESTING],
  },
  {
    name: "an amendment to more keeps its place",
    file: "src/engine/amending.ts",
    line: "const keepsPriority = newTicks === oldTicks && newTotal < oldTotal;",
    mistake: "const keepsPriority = newTicks === oldTicks;",
    caughtBy: [RESTING],
  },
  {
    name: "an amendment counts what is filled twice",
    file: "src/engine/amending.ts",
    line: "const newRemaining = newTotal - (oldTotal - oldRemaining);",
    mistake: "const newRemaining = newTotal;",
    caughtBy: [RESTING],
  },
  {
    name: "a replacement does not count on what the old order holds",
    file: "src/engine/placing.ts",
    line: "this.refuseHold(old?.heldAmount ?? 0);",
    mistake: "this.refuseHold(0);",
    caughtBy: [RESTING],
  },
  // What a book offers
  {
    name: "a level's total forgets what icebergs hide",
    file: "src/engine/order-book.ts",
    line: "return this.icebergCount === 0 ? shownLots : shownLots + this.levels.hiddenLotsOf(level);",
    mistake: "return shownLots;",
    caughtBy: ["src/engine/liquidity.test.ts"],
  },
  {
    name: "an iceberg that leaves its level stays in the level's hidden lots",
    file: "src/engine/order-book.ts",
    line: "if (this.icebergCount !== 0) this.#countHidden(slot, level, -1);",
    mistake: "",
    caughtBy: ["src/engine/liquidity.test.ts", RESTING],
  },
  {
    name: "a fill-or-kill counts orders of its own account",
    file: "src/engine/liquidity.ts",
    line: "let left = passesOver ? lots + own.lots : lots;",
    mistake: "let left = lots;",
    caughtBy: ["src/engine/liquidity.test.ts", OWN_ORDERS],
  },
  {
    name: "own orders out of a fill-or-kill's reach are taken off all the same",
    file: "src/engine/liquidity.ts",
    line: "return left <= behind;",
    mistake: "return left <= 0;",
    caughtBy: ["src/engine/liquidity.test.ts"],
  },
  {
    name: "orders set free that are left over are forgotten",
    file: "src/engine/activating.ts",
    line: "activations.length > 0 && taken < ordersPerCommandMax; taken++) {",
    mistake:
      "activations.length > 0; taken++) {\n      if (taken >= ordersPerCommandMax) {\n        activations.take();\n        continue;\n      }",
    caughtBy: ["src/engine/work-limit.test.ts"],
  },
  {
    name: "the stops that more than one command may activate lose the page that a price parts",
    file: "src/engine/sorted-pages.ts",
    line: "if (split.length > 0) this.#pages.push(split);",
    mistake: "",
    caughtBy: ["src/engine/sorted-pages.test.ts", "src/engine/triggers.test.ts"],
  },
  {
    name: "many stops that one price reaches are sorted, whatever the limit of work",
    file: "src/engine/triggers.ts",
    line: "if (count > ordersMax) {",
    mistake: "if (count > Infinity) {",
    caughtBy: ["src/engine/triggers.test.ts", "src/engine/work-limit.test.ts"],
  },
  {
    name: "a cancel timer forgets what it has left open",
    file: "src/engine/cancelling.ts",
    line: "else cancelTimers.set(account, marketId, timer.dueMs);",
    mistake: "",
    caughtBy: ["src/engine/work-limit.test.ts"],
  },
  {
    name: "a snapshot forgets which orders were set free",
    file: "src/engine/work-limit.ts",
    line: "    activations.push(orderId);\n",
    mistake: "",
    caughtBy: ["src/engine/work-limit.test.ts"],
  },
  {
    name: "the first order to be reached stands in another page than it is sought in",
    file: "src/engine/sorted-pages.ts",
    line: "this.#pages.splice(at + 1, 0, page.splice(PAGE_ITEMS_MAX >> 1));",
    mistake: "this.#pages.push(page.splice(PAGE_ITEMS_MAX >> 1));",
    caughtBy: ["src/engine/sorted-pages.test.ts"],
  },
  // Price ladder and tables
  {
    name: "the ladder passes over the next lower price",
    file: "src/engine/price-ladder.ts",
    line: "let bits = this.#words[word] & ((1 << (offset & 31)) - 1);",
    mistake: "let bits = this.#words[word] & ((1 << (offset & 31)) - 2);",
    caughtBy: ["src/engine/price-ladder.test.ts", PROPERTIES],
  },
  {
    name: "the ladder forgets that a word of prices is empty",
    file: "src/engine/price-ladder.ts",
    line: "if (rest === 0) this.#summary[word >> 5] &= ~(1 << (word & 31));",
    mistake: "",
    caughtBy: ["src/engine/price-ladder.test.ts", PROPERTIES],
  },
  {
    name: "a level beyond the window is found at another price",
    file: "src/engine/price-ladder.ts",
    line: "return at < this.length && this.#prices[at] === priceTicks ? this.#levels[at] : NO_LEVEL;",
    mistake: "return at < this.length ? this.#levels[at] : NO_LEVEL;",
    caughtBy: ["src/engine/price-ladder.test.ts", PROPERTIES],
  },
  {
    name: "the ladder's window stays where it is when the touch leaves it",
    file: "src/engine/price-ladder.ts",
    line: "this.#base = Math.max(0, centreTicks - size / 2);",
    mistake: "this.#base = Math.max(0, centreTicks - size);",
    caughtBy: ["src/engine/price-ladder.test.ts", PROPERTIES],
  },
  {
    name: "an order freed from the middle of a chain takes others with it",
    file: "src/engine/order-table.ts",
    line: "this.#setChainNext(before, after);",
    mistake: "this.#setChainNext(before, NONE);",
    caughtBy: ["src/engine/order-table.test.ts"],
  },
  // The short way of plain orders
  {
    name: "a plain order keeps the hold of a better price",
    file: "src/engine/plain-orders.ts",
    line: "buys ? priceTicks * tradedLots * tickLotUnits - tradedNotional : 0,",
    mistake: "0,",
    caughtBy: [MODEL, SCRIPTS],
  },
  {
    name: "a plain order trades with its own account",
    file: "src/engine/plain-orders.ts",
    line: "if (makerAccount === account || orders.hasDetails(maker)) {",
    mistake: "if (orders.hasDetails(maker)) {",
    caughtBy: [MODEL, SCRIPTS],
  },
  {
    name: "a plain order takes an iceberg for an order without more",
    file: "src/engine/plain-orders.ts",
    line: "if (makerAccount === account || orders.hasDetails(maker)) {",
    mistake: "if (makerAccount === account) {",
    caughtBy: [MODEL],
  },
  {
    name: "a plain order passes the limit of open orders",
    file: "src/engine/plain-orders.ts",
    line: "if (!isImmediate && accounts.openOrderCount(account) >= plan.openOrdersMax) return NOT_PLACED;",
    mistake:
      "if (!isImmediate && accounts.openOrderCount(account) > plan.openOrdersMax) return NOT_PLACED;",
    caughtBy: [MODEL, SCRIPTS],
  },
  {
    name: "a plain order goes the long way with what it has traded already",
    file: "src/engine/plain-orders.ts",
    line: "order.remainingLots = leftLots;",
    mistake: "order.remainingLots = terms.quantityLots;",
    caughtBy: [MODEL],
  },
  {
    name: "what a plain order takes does not count as volume of its account",
    file: "src/engine/plain-orders.ts",
    line: "if (countsVolume) state.feeTiers.addVolume(account, tradedNotional);",
    mistake: "",
    caughtBy: [MODEL, HOUSE],
  },
  {
    name: "an immediate order keeps the hold of what it did not get",
    file: "src/engine/plain-orders.ts",
    line: "if (!isFilled) ledger.release(account, spentAssetId, releasedAmount);",
    mistake: "",
    caughtBy: [MODEL, SCRIPTS],
  },
  {
    name: "a frozen account places plain orders",
    file: "src/engine/plain-orders.ts",
    line: "if (accounts.isFrozen(account)) return NOT_PLACED;",
    mistake: "",
    caughtBy: [MODEL, HOUSE],
  },
  // Once
  {
    name: "an idempotency key is forgotten at once",
    file: "src/engine/engine.ts",
    line: "idempotencyKeys.remember(key, account, this.sequence, orderId, this.timestampMs);",
    mistake: "",
    caughtBy: ["src/engine/engine.test.ts", PROPERTIES],
  },
  {
    name: "two keys of one hash are taken for one another",
    file: "src/engine/remembered-texts.ts",
    line: "if (bytes[start + at] !== sought[at]) return false;",
    mistake: "",
    caughtBy: ["src/engine/remembered-texts.test.ts"],
  },
  {
    name: "a key that goes takes those that it had pushed on with it",
    file: "src/engine/slot-index.ts",
    line: "      cells[hole * CELL_NUMBERS + 1] = cells[cell * CELL_NUMBERS + 1];\n      hole = cell;",
    mistake: "",
    caughtBy: ["src/engine/slot-index.test.ts", "src/engine/remembered-texts.test.ts"],
  },
  {
    name: "an order that outlives the window of ids loses its own",
    file: "src/engine/client-order-ids.ts",
    line: "this.#keepAged({ ...order, isAged: true });",
    mistake: "",
    caughtBy: ["src/engine/client-order-ids.test.ts"],
  },
  // The journal's commands
  {
    name: "a price loses its low digits on the way to the journal",
    file: "src/engine/command-codec.ts",
    line: "view.setFloat64(offset + 20, command.priceTicks, true);",
    mistake: "view.setFloat64(offset + 20, Math.fround(command.priceTicks), true);",
    caughtBy: ["src/engine/command-codec.test.ts"],
  },
  {
    name: "a truncated command is read as a whole one",
    file: "src/engine/command-codec.ts",
    line: "  if (actual !== expected) {\n    throw",
    mistake: "  if (actual > expected + 1e9) {\n    throw",
    caughtBy: ["src/engine/command-codec.test.ts"],
  },
  // Journal
  {
    name: "a group is acknowledged before it is flushed",
    file: "src/journal/file-journal.ts",
    line: "      await flush(file, path);\n      this.#position += extent;",
    mistake: "      void flush(file, path).catch(() => {});\n      this.#position += extent;",
    caughtBy: [JOURNAL],
  },
  {
    name: "the journal goes on after a failed write",
    file: "src/journal/file-journal.ts",
    line: "if (this.#refusal !== undefined) throw this.#refusal;",
    mistake: "",
    caughtBy: [JOURNAL],
  },
  {
    name: "a short write passes for a whole one",
    file: "src/journal/file-journal.ts",
    line: "if (written !== bytes.length) {",
    mistake: "if (written > bytes.length) {",
    caughtBy: [JOURNAL],
  },
  {
    name: "a segment is named before its header is on disk",
    file: "src/journal/file-journal.ts",
    line: "      await file.flush();\n      this.#fileSystem.rename(preparedPath, path);",
    mistake: "      this.#fileSystem.rename(preparedPath, path);",
    caughtBy: [JOURNAL],
  },
  {
    name: "the directory of a new segment is not flushed",
    file: "src/journal/file-journal.ts",
    line: "      this.#fileSystem.rename(preparedPath, path);\n      await this.#fileSystem.flushDirectory(this.#directory);",
    mistake: "      this.#fileSystem.rename(preparedPath, path);",
    caughtBy: [JOURNAL],
  },
  {
    name: "damage in the middle is cut like a torn tail",
    file: "src/journal/file-journal.ts",
    line: 'if (tail.kind === "damaged") {',
    mistake: 'if (tail.kind === "damaged" && offset < 0) {',
    caughtBy: [JOURNAL],
  },
  {
    name: "a segment that does not follow the last one is accepted",
    file: "src/journal/file-journal.ts",
    line: "if (chain !== reader.chain) {",
    mistake: "if (chain === -1) {",
    caughtBy: [JOURNAL],
  },
  {
    name: "a missing segment goes unnoticed",
    file: "src/journal/file-journal.ts",
    line: "refuse(`segment ${number} is missing`)",
    mistake: "void 0",
    caughtBy: [JOURNAL],
  },
  {
    name: "what recovery read from the cache is not flushed",
    file: "src/journal/file-journal.ts",
    line: "writeAgain(file, path, groupAt, offset);\n      await flush(file, path);",
    mistake: "writeAgain(file, path, groupAt, offset);",
    caughtBy: [JOURNAL],
  },
  {
    name: "what a failed flush left in the cache is not written again",
    file: "src/journal/file-journal.ts",
    line: "writeAgain(file, path, groupAt, offset);",
    mistake: "",
    caughtBy: [JOURNAL],
  },
  // Sequencer
  {
    name: "events leave before their commands are on disk",
    file: "src/server/exchange/sequencer.ts",
    line: "      await written;\n",
    mistake: "      void written.catch(() => {});\n",
    caughtBy: ["src/server/exchange/sequencer.test.ts"],
  },
  {
    name: "the sequencer goes on after the journal failed",
    file: "src/server/exchange/sequencer.ts",
    line: "this.#hasStopped = true;\n    this.#queue.length = 0;",
    mistake: "this.#queue.length = 0;",
    caughtBy: ["src/server/exchange/sequencer.test.ts"],
  },
  {
    name: "what was gathered when the engine broke is written",
    file: "src/server/exchange/sequencer.ts",
    line: "if (!this.#hasStopped && !this.#isCommitting && this.#count > 0)",
    mistake: "if (!this.#isCommitting && this.#count > 0)",
    caughtBy: ["src/server/exchange/sequencer.test.ts"],
  },
];
