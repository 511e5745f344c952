/**
 * What a snapshot keeps of people's records: one table for each kind of record, with those of a person
 * one after another, and where each person's begin and end. A person's are made into objects when
 * somebody looks at them; most people are not looked at between two starts.
 */
import { type Columns, columnsOf, type Fields, numbersOf, textAt } from "./record-columns.ts";
import type {
  ActivityRecord,
  FillRecord,
  LedgerEntryRecord,
  OrderRecord,
  PlanChangeRecord,
  TransferRecord,
} from "./records.ts";

export type OrderState = { -readonly [Key in keyof OrderRecord]: OrderRecord[Key] };

/** Everything that is kept of a person, oldest first. */
export interface PersonItems {
  /** Open ones and the newest ended ones, in the order they were placed. */
  readonly orders: readonly OrderState[];
  /** Ids of the ended ones, in the order they ended. */
  readonly ended: readonly number[];
  readonly fills: readonly FillRecord[];
  readonly transfers: readonly TransferRecord[];
  readonly activity: readonly ActivityRecord[];
  readonly ledgerEntries: readonly LedgerEntryRecord[];
}

/** A row of activity; what happened stands in the table of its kind. */
export interface ActivityRow {
  readonly sequence: number;
  readonly position: number;
  readonly timestampMs: number;
  readonly kind: ActivityRecord["kind"];
  readonly at: number;
}

/** Where the records of a person begin in each table, and how many there are of them. */
export interface PersonRow {
  readonly account: number;
  readonly orders: number;
  readonly orderCount: number;
  readonly ended: number;
  readonly endedCount: number;
  readonly fills: number;
  readonly fillCount: number;
  readonly transfers: number;
  readonly transferCount: number;
  readonly activity: number;
  readonly activityCount: number;
  readonly ledgerEntries: number;
  readonly ledgerEntryCount: number;
}

const ORDER: Fields<OrderRecord> = {
  orderId: "numbers",
  account: "numbers",
  marketId: "numbers",
  clientOrderId: "texts",
  side: "texts",
  orderType: "texts",
  timeInForce: "texts",
  postOnly: "values",
  priceTicks: "numbers",
  quantityLots: "numbers",
  quoteAmount: "numbers",
  makerFeeBps: "numbers",
  takerFeeBps: "numbers",
  feeSource: "texts",
  conditions: "values",
  listId: "numbers",
  waitsFor: "texts",
  triggerTicks: "numbers",
  placedAtMs: "numbers",
  placedSequence: "numbers",
  status: "texts",
  endReason: "texts",
  filledLots: "numbers",
  filledNotional: "numbers",
  updatedAtMs: "numbers",
  updatedSequence: "numbers",
};

const FILL: Fields<FillRecord> = {
  tradeId: "numbers",
  orderId: "numbers",
  account: "numbers",
  marketId: "numbers",
  side: "texts",
  priceTicks: "numbers",
  quantityLots: "numbers",
  notional: "numbers",
  fee: "numbers",
  feeAssetId: "numbers",
  feeBps: "numbers",
  feeSource: "texts",
  role: "texts",
  timestampMs: "numbers",
  sequence: "numbers",
};

const TRANSFER: Fields<TransferRecord> = {
  account: "numbers",
  reason: "texts",
  assetId: "numbers",
  amount: "numbers",
  note: "texts",
  timestampMs: "numbers",
  sequence: "numbers",
};

const PLAN_CHANGE: Fields<PlanChangeRecord> = {
  account: "numbers",
  planId: "numbers",
  amount: "numbers",
  assetId: "numbers",
  timestampMs: "numbers",
  sequence: "numbers",
};

const LEDGER_ENTRY: Fields<LedgerEntryRecord> = {
  sequence: "numbers",
  position: "numbers",
  account: "numbers",
  assetId: "numbers",
  amount: "numbers",
  balance: "texts",
  reason: "texts",
  orderId: "numbers",
  timestampMs: "numbers",
};

const ACTIVITY: Fields<ActivityRow> = {
  sequence: "numbers",
  position: "numbers",
  timestampMs: "numbers",
  kind: "texts",
  at: "numbers",
};

const PERSON: Fields<PersonRow> = {
  account: "numbers",
  orders: "numbers",
  orderCount: "numbers",
  ended: "numbers",
  endedCount: "numbers",
  fills: "numbers",
  fillCount: "numbers",
  transfers: "numbers",
  transferCount: "numbers",
  activity: "numbers",
  activityCount: "numbers",
  ledgerEntries: "numbers",
  ledgerEntryCount: "numbers",
};

export type PackedRecords = ReturnType<typeof packRecords>;

export function packRecords(people: ReadonlyMap<number, PersonItems>) {
  const rows: PersonRow[] = [];
  const orders = new Table<OrderState>();
  const fills = new Table<FillRecord>();
  const transfers = new Table<TransferRecord>();
  const planChanges = new Table<PlanChangeRecord>();
  const ledgerEntries: LedgerEntryRecord[] = [];
  const activity: ActivityRow[] = [];
  const ended: number[] = [];
  const placeOf = (row: ActivityRecord): number => {
    switch (row.kind) {
      case "order":
        return orders.placeOf(row.order);
      case "fill":
        return fills.placeOf(row.fill);
      case "transfer":
        return transfers.placeOf(row.transfer);
      default:
        return planChanges.placeOf(row.planChange);
    }
  };
  for (const [account, person] of people) {
    for (const table of [orders, fills, transfers, planChanges]) table.beginPerson();
    rows.push({
      account,
      orders: orders.length,
      orderCount: person.orders.length,
      ended: ended.length,
      endedCount: person.ended.length,
      fills: fills.length,
      fillCount: person.fills.length,
      transfers: transfers.length,
      transferCount: person.transfers.length,
      activity: activity.length,
      activityCount: person.activity.length,
      ledgerEntries: ledgerEntries.length,
      ledgerEntryCount: person.ledgerEntries.length,
    });
    // Those of the lists first: activity may tell of older ones, which then stand behind them.
    for (const order of person.orders) orders.placeOf(order);
    for (const fill of person.fills) fills.placeOf(fill);
    for (const transfer of person.transfers) transfers.placeOf(transfer);
    for (const orderId of person.ended) ended.push(orderId);
    for (const entry of person.ledgerEntries) ledgerEntries.push(entry);
    for (const row of person.activity) {
      const { sequence, position, timestampMs, kind } = row;
      activity.push({ sequence, position, timestampMs, kind, at: placeOf(row) });
    }
  }
  return {
    people: columnsOf(rows, PERSON),
    orders: columnsOf<OrderRecord>(orders.items, ORDER),
    ended: numbersOf(ended.length, (at) => ended[at]),
    fills: columnsOf(fills.items, FILL),
    transfers: columnsOf(transfers.items, TRANSFER),
    planChanges: columnsOf(planChanges.items, PLAN_CHANGE),
    ledgerEntries: columnsOf(ledgerEntries, LEDGER_ENTRY),
    activity: columnsOf(activity, ACTIVITY),
  };
}

/** Each item once, however often it is told of; no two people have one in common. */
class Table<Item extends object> {
  readonly items: Item[] = [];
  readonly #places = new Map<Item, number>();

  beginPerson(): void {
    this.#places.clear();
  }

  get length(): number {
    return this.items.length;
  }
  placeOf(item: Item): number {
    const place = this.#places.get(item) ?? this.items.length;
    if (place === this.items.length) {
      this.items.push(item);
      this.#places.set(item, place);
    }
    return place;
  }
}

/** The records of one person in the tables of a snapshot. */
export class PackedPerson {
  readonly account: number;
  readonly #packed: PackedRecords;
  readonly #row: number;
  /** By place. An order is one object wherever it stands: what is handed out changes as it goes on. */
  readonly #orders = new Map<number, OrderState>();

  constructor(packed: PackedRecords, row: number) {
    this.#packed = packed;
    this.#row = row;
    this.account = packed.people.account[row];
  }

  get fillCount(): number {
    return this.#packed.people.fillCount[this.#row];
  }
  get transferCount(): number {
    return this.#packed.people.transferCount[this.#row];
  }
  get activityCount(): number {
    return this.#packed.people.activityCount[this.#row];
  }
  get ledgerEntryCount(): number {
    return this.#packed.people.ledgerEntryCount[this.#row];
  }

  /** In the order they were placed. */
  openOrders(): OrderState[] {
    const { orders, people } = this.#packed;
    const places = placesOf(people.orders[this.#row], people.orderCount[this.#row]);
    return places
      .filter((place) => textAt(orders.status, place) === "open")
      .map((place) => this.#order(place));
  }

  ended(): number[] {
    const { ended, people } = this.#packed;
    const from = people.ended[this.#row];
    return Array.from(ended.subarray(from, from + people.endedCount[this.#row]));
  }

  orders(): OrderState[] {
    const { people } = this.#packed;
    const places = placesOf(people.orders[this.#row], people.orderCount[this.#row]);
    return places.map((place) => this.#order(place));
  }

  /** Everything but orders; a fill or transfer is the same object in its list and in the activity. */
  items(): Omit<PersonItems, "orders" | "ended"> {
    const { fills, ledgerEntries, people, transfers } = this.#packed;
    const row = this.#row;
    const fillOf = once((place) => fillAt(fills, place));
    const transferOf = once((place) => transferAt(transfers, place));
    return {
      fills: placesOf(people.fills[row], this.fillCount).map(fillOf),
      transfers: placesOf(people.transfers[row], this.transferCount).map(transferOf),
      activity: placesOf(people.activity[row], this.activityCount).map((place) =>
        this.#activity(place, fillOf, transferOf),
      ),
      ledgerEntries: placesOf(people.ledgerEntries[row], this.ledgerEntryCount).map((place) =>
        ledgerEntryAt(ledgerEntries, place),
      ),
    };
  }

  #order(place: number): OrderState {
    let order = this.#orders.get(place);
    if (order === undefined) {
      order = orderAt(this.#packed.orders, place);
      this.#orders.set(place, order);
    }
    return order;
  }

  #activity(
    place: number,
    fillOf: (place: number) => FillRecord,
    transferOf: (place: number) => TransferRecord,
  ): ActivityRecord {
    const { activity, planChanges } = this.#packed;
    const at = activity.at[place];
    const row = {
      sequence: activity.sequence[place],
      position: activity.position[place],
      timestampMs: activity.timestampMs[place],
    };
    switch (textAt(activity.kind, place)) {
      case "order":
        return { kind: "order", order: this.#order(at), ...row };
      case "fill":
        return { kind: "fill", fill: fillOf(at), ...row };
      case "transfer":
        return { kind: "transfer", transfer: transferOf(at), ...row };
      default:
        return { kind: "plan", planChange: planChangeAt(planChanges, at), ...row };
    }
  }
}

function placesOf(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

function once<Item>(make: (place: number) => Item): (place: number) => Item {
  const made = new Map<number, Item>();
  return (place) => {
    const item = made.get(place) ?? make(place);
    made.set(place, item);
    return item;
  };
}

function orderAt(orders: Columns<OrderRecord>, at: number): OrderState {
  const conditions = orders.conditions[at];
  return {
    orderId: orders.orderId[at],
    account: orders.account[at],
    marketId: orders.marketId[at],
    clientOrderId: textAt(orders.clientOrderId, at),
    side: textAt(orders.side, at),
    orderType: textAt(orders.orderType, at),
    timeInForce: textAt(orders.timeInForce, at),
    postOnly: orders.postOnly[at],
    priceTicks: orders.priceTicks[at],
    quantityLots: orders.quantityLots[at],
    quoteAmount: orders.quoteAmount[at],
    makerFeeBps: orders.makerFeeBps[at],
    takerFeeBps: orders.takerFeeBps[at],
    feeSource: textAt(orders.feeSource, at),
    ...(conditions !== undefined && { conditions }),
    listId: orders.listId[at],
    waitsFor: textAt(orders.waitsFor, at),
    triggerTicks: orders.triggerTicks[at],
    placedAtMs: orders.placedAtMs[at],
    placedSequence: orders.placedSequence[at],
    status: textAt(orders.status, at),
    endReason: textAt(orders.endReason, at),
    filledLots: orders.filledLots[at],
    filledNotional: orders.filledNotional[at],
    updatedAtMs: orders.updatedAtMs[at],
    updatedSequence: orders.updatedSequence[at],
  };
}

function fillAt(fills: Columns<FillRecord>, at: number): FillRecord {
  return {
    tradeId: fills.tradeId[at],
    orderId: fills.orderId[at],
    account: fills.account[at],
    marketId: fills.marketId[at],
    side: textAt(fills.side, at),
    priceTicks: fills.priceTicks[at],
    quantityLots: fills.quantityLots[at],
    notional: fills.notional[at],
    fee: fills.fee[at],
    feeAssetId: fills.feeAssetId[at],
    feeBps: fills.feeBps[at],
    feeSource: textAt(fills.feeSource, at),
    role: textAt(fills.role, at),
    timestampMs: fills.timestampMs[at],
    sequence: fills.sequence[at],
  };
}

function transferAt(transfers: Columns<TransferRecord>, at: number): TransferRecord {
  return {
    account: transfers.account[at],
    reason: textAt(transfers.reason, at),
    assetId: transfers.assetId[at],
    amount: transfers.amount[at],
    note: textAt(transfers.note, at),
    timestampMs: transfers.timestampMs[at],
    sequence: transfers.sequence[at],
  };
}

function planChangeAt(changes: Columns<PlanChangeRecord>, at: number): PlanChangeRecord {
  return {
    account: changes.account[at],
    planId: changes.planId[at],
    amount: changes.amount[at],
    assetId: changes.assetId[at],
    timestampMs: changes.timestampMs[at],
    sequence: changes.sequence[at],
  };
}

function ledgerEntryAt(entries: Columns<LedgerEntryRecord>, at: number): LedgerEntryRecord {
  return {
    sequence: entries.sequence[at],
    position: entries.position[at],
    account: entries.account[at],
    assetId: entries.assetId[at],
    amount: entries.amount[at],
    balance: textAt(entries.balance, at),
    reason: textAt(entries.reason, at),
    orderId: entries.orderId[at],
    timestampMs: entries.timestampMs[at],
  };
}
