/**
 * What a snapshot keeps of people's records: one table for each kind of record, with those of a person
 * one after another, and where each person's begin and end. A person's are made into objects when
 * somebody looks at them; most people are not looked at between two starts.
 */
import {
  type ActivityRecord,
  PLAN_CHANGES,
  type PlanChangeRecord,
  type TransferRecord,
  TRANSFERS,
} from "./activity.ts";
import { LEDGER_ENTRIES, type LedgerEntryRecord } from "./ledger-entries.ts";
import { ORDERS, type OrderState } from "./orders.ts";
import { columnsOf, numbersOf, textAt } from "./packed-columns.ts";
import { type FillRecord, FILLS } from "./trades.ts";

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
  /** Its place in that table. */
  readonly at: number;
}
const ACTIVITY_ROW = {
  sequence: "numbers",
  position: "numbers",
  timestampMs: "numbers",
  kind: "texts",
  at: "numbers",
} as const;

/** Where the records of a person begin in each table, and how many there are of them. */
const PERSON_ROW = {
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
} as const;
export type PersonRow = Readonly<Record<keyof typeof PERSON_ROW, number>>;

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
    people: columnsOf(rows, PERSON_ROW),
    orders: ORDERS.pack(orders.items),
    ended: numbersOf(ended.length, (at) => ended[at]),
    fills: FILLS.pack(fills.items),
    transfers: TRANSFERS.pack(transfers.items),
    planChanges: PLAN_CHANGES.pack(planChanges.items),
    ledgerEntries: LEDGER_ENTRIES.pack(ledgerEntries),
    activity: columnsOf(activity, ACTIVITY_ROW),
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
    const fillOf = once((place) => FILLS.unpack(fills, place));
    const transferOf = once((place) => TRANSFERS.unpack(transfers, place));
    return {
      fills: placesOf(people.fills[row], this.fillCount).map(fillOf),
      transfers: placesOf(people.transfers[row], this.transferCount).map(transferOf),
      activity: placesOf(people.activity[row], this.activityCount).map((place) =>
        this.#activity(place, fillOf, transferOf),
      ),
      ledgerEntries: placesOf(people.ledgerEntries[row], this.ledgerEntryCount).map((place) =>
        LEDGER_ENTRIES.unpack(ledgerEntries, place),
      ),
    };
  }

  #order(place: number): OrderState {
    let order = this.#orders.get(place);
    if (order === undefined) {
      order = ORDERS.unpack(this.#packed.orders, place);
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
        return { kind: "plan", planChange: PLAN_CHANGES.unpack(planChanges, at), ...row };
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
