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
  const indexOf = (row: ActivityRecord): number => {
    switch (row.kind) {
      case "order":
        return orders.indexOf(row.order);
      case "fill":
        return fills.indexOf(row.fill);
      case "transfer":
        return transfers.indexOf(row.transfer);
      default:
        return planChanges.indexOf(row.planChange);
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
    for (const order of person.orders) orders.indexOf(order);
    for (const fill of person.fills) fills.indexOf(fill);
    for (const transfer of person.transfers) transfers.indexOf(transfer);
    for (const orderId of person.ended) ended.push(orderId);
    for (const entry of person.ledgerEntries) ledgerEntries.push(entry);
    for (const row of person.activity) {
      const { sequence, position, timestampMs, kind } = row;
      activity.push({ sequence, position, timestampMs, kind, at: indexOf(row) });
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
  readonly #indexes = new Map<Item, number>();

  beginPerson(): void {
    this.#indexes.clear();
  }

  get length(): number {
    return this.items.length;
  }
  indexOf(item: Item): number {
    const index = this.#indexes.get(item) ?? this.items.length;
    if (index === this.items.length) {
      this.items.push(item);
      this.#indexes.set(item, index);
    }
    return index;
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
    const open = this.#indexes("orders").filter((index) => textAt(status, index) === "open");
    return open.map((index) => this.#order(index));
  }

  ended(): number[] {
    return this.#indexes("ended").map((index) => this.#packed.ended[index]);
  }

  orders(): OrderState[] {
    return this.#indexes("orders").map((index) => this.#order(index));
  }

  /**
   * All records except orders; a fill or transfer is the same object in its own group and in the
   * activity.
   */
  items(): Omit<PersonItems, "orders" | "ended"> {
    const { fills, ledgerEntries, transfers } = this.#packed;
    const fillOf = memoized((index) => FILLS.unpack(fills, index));
    const transferOf = memoized((index) => TRANSFERS.unpack(transfers, index));
    return {
      fills: this.#indexes("fills").map(fillOf),
      transfers: this.#indexes("transfers").map(transferOf),
      activity: this.#indexes("activity").map((index) => this.#activity(index, fillOf, transferOf)),
      ledgerEntries: this.#indexes("ledgerEntries").map((index) =>
        LEDGER_ENTRIES.unpack(ledgerEntries, index),
      ),
    };
  }

  /** The indexes, in their table, of the records of one group. */
  #indexes(group: Group): number[] {
    const from = this.#packed.people[group][this.#row];
    return Array.from({ length: this.count(group) }, (_, index) => from + index);
  }

  #order(index: number): OrderState {
    let order = this.#orders.get(index);
    if (order === undefined) {
      order = ORDERS.unpack(this.#packed.orders, index);
      this.#orders.set(index, order);
    }
    return order;
  }

  #activity(
    index: number,
    fillOf: (index: number) => FillRecord,
    transferOf: (index: number) => TransferRecord,
  ): ActivityRecord {
    const { activity, planChanges } = this.#packed;
    const at = activity.at[index];
    const row = {
      sequence: activity.sequence[index],
      position: activity.position[index],
      timestampMs: activity.timestampMs[index],
    };
    switch (textAt(activity.kind, index)) {
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

function memoized<Item>(make: (index: number) => Item): (index: number) => Item {
  const made = new Map<number, Item>();
  return (index) => {
    const item = made.get(index) ?? make(index);
    made.set(index, item);
    return item;
  };
}
