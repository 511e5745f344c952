/**
 * The people's records in a snapshot: one table for each kind of record, in which the records of a
 * person are consecutive, and the indexes where they begin and end. A person's records become
 * objects when they are first read; most people's are not read between two starts.
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

/** All kept records of a person, oldest first. */
export interface PersonItems {
  /** Open orders and the newest ended ones, in the order they were placed. */
  readonly orders: readonly OrderState[];
  /** Ids of the ended orders, in the order they ended. */
  readonly ended: readonly number[];
  readonly fills: readonly FillRecord[];
  readonly transfers: readonly TransferRecord[];
  readonly activity: readonly ActivityRecord[];
  readonly ledgerEntries: readonly LedgerEntryRecord[];
}

/** A row of activity; its details are in the table of its kind. */
export interface ActivityRow {
  readonly sequence: number;
  readonly position: number;
  readonly timestampMs: number;
  readonly kind: ActivityRecord["kind"];
  /** The row's index in the table of its kind. */
  readonly at: number;
}
const ACTIVITY_ROW = {
  sequence: "numbers",
  position: "numbers",
  timestampMs: "numbers",
  kind: "texts",
  at: "numbers",
} as const;

/** The groups of a person's records, each with the name of its count. */
const GROUPS = {
  orders: "orderCount",
  ended: "endedCount",
  fills: "fillCount",
  transfers: "transferCount",
  activity: "activityCount",
  ledgerEntries: "ledgerEntryCount",
} as const;
type Group = keyof typeof GROUPS;
/** Where the records of a person begin in each table, and how many there are. */
export type PersonRow = Readonly<Record<"account" | Group | (typeof GROUPS)[Group], number>>;
const PERSON_ROW = Object.fromEntries(
  ["account", ...Object.entries(GROUPS).flat()].map((name) => [name, "numbers"]),
) as Readonly<Record<keyof PersonRow, "numbers">>;

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
    const tables = { orders, ended, fills, transfers, activity, ledgerEntries };
    const places = Object.entries(GROUPS).flatMap(([group, count]) => [
      [group, tables[group as Group].length],
      [count, person[group as Group].length],
    ]);
    rows.push(Object.fromEntries([["account", account], ...places]) as PersonRow);
    // Records of the groups first: activity may refer to older records, which then follow.
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

/**
 * A table that stores each item once, however often it is referred to; no two people share an item.
 */
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
  /**
   * Orders by index. An order is one object wherever it is referred to: callers hold it and see it
   * change.
   */
  readonly #orders = new Map<number, OrderState>();

  constructor(packed: PackedRecords, row: number) {
    this.#packed = packed;
    this.#row = row;
    this.account = packed.people.account[row];
  }

  /** The number of records in one group. */
  count(group: Group): number {
    return this.#packed.people[GROUPS[group]][this.#row];
  }

  /** The person's open orders, in the order they were placed. */
  openOrders(): OrderState[] {
    const { status } = this.#packed.orders;
    const open = this.#places("orders").filter((place) => textAt(status, place) === "open");
    return open.map((place) => this.#order(place));
  }

  ended(): number[] {
    return this.#places("ended").map((place) => this.#packed.ended[place]);
  }

  orders(): OrderState[] {
    return this.#places("orders").map((place) => this.#order(place));
  }

  /**
   * All records except orders; a fill or transfer is the same object in its own group and in the
   * activity.
   */
  items(): Omit<PersonItems, "orders" | "ended"> {
    const { fills, ledgerEntries, transfers } = this.#packed;
    const fillOf = memoized((place) => FILLS.unpack(fills, place));
    const transferOf = memoized((place) => TRANSFERS.unpack(transfers, place));
    return {
      fills: this.#places("fills").map(fillOf),
      transfers: this.#places("transfers").map(transferOf),
      activity: this.#places("activity").map((place) => this.#activity(place, fillOf, transferOf)),
      ledgerEntries: this.#places("ledgerEntries").map((place) =>
        LEDGER_ENTRIES.unpack(ledgerEntries, place),
      ),
    };
  }

  /** The indexes, in their table, of the records of one group. */
  #places(group: Group): number[] {
    const from = this.#packed.people[group][this.#row];
    return Array.from({ length: this.count(group) }, (_, index) => from + index);
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

function memoized<Item>(make: (place: number) => Item): (place: number) => Item {
  const made = new Map<number, Item>();
  return (place) => {
    const item = made.get(place) ?? make(place);
    made.set(place, item);
    return item;
  };
}
