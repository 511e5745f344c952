/**
 * The lists of all accounts that have open orders. Lists without open orders are in the history.
 */
import type { EventOf } from "#engine/events.ts";
import { orderIdsOf, type OrderListRecord, placedList } from "../records/order-lists.ts";

interface OpenList {
  readonly list: OrderListRecord;
  /** The ids of the list's open orders. */
  readonly open: Set<number>;
}

export class OpenLists {
  /** Open lists by account, then by list id, in the order in which the lists were placed. */
  readonly #ofAccounts = new Map<number, Map<number, OpenList>>();
  readonly #ofOrders = new Map<number, OpenList>();

  /** The account's open lists, oldest first. */
  ofAccount(account: number): OrderListRecord[] {
    return Array.from(this.#ofAccounts.get(account)?.values() ?? [], ({ list }) => list);
  }

  /** The ids of an open list's open orders; empty if the account has no such list. */
  openOrderIds(account: number, listId: number): number[] {
    return [...(this.#ofAccounts.get(account)?.get(listId)?.open ?? [])];
  }

  /** The list to which an open order belongs; undefined if none. */
  ofOrder(orderId: number): OrderListRecord | undefined {
    return this.#ofOrders.get(orderId)?.list;
  }

  foldPlaced(event: EventOf<"orderListPlaced">): void {
    this.#add({ list: placedList(event), open: new Set(event.orderIds) });
  }

  foldEnded({ account, orderId }: EventOf<"orderEnded">): void {
    const ended = this.#ofOrders.get(orderId);
    if (ended === undefined) return;
    this.#ofOrders.delete(orderId);
    ended.open.delete(orderId);
    if (ended.open.size > 0) return;
    const lists = this.#ofAccounts.get(account);
    lists?.delete(ended.list.listId);
    if (lists?.size === 0) this.#ofAccounts.delete(account);
  }

  state() {
    return [...this.#ofAccounts.values()].flatMap((lists) =>
      Array.from(lists.values(), ({ list, open }) => ({ list, open: [...open] })),
    );
  }

  restore(state: ReturnType<OpenLists["state"]>): void {
    for (const { list, open } of state) this.#add({ list, open: new Set(open) });
  }

  #add(added: OpenList): void {
    const { account, listId } = added.list;
    let lists = this.#ofAccounts.get(account);
    if (lists === undefined) this.#ofAccounts.set(account, (lists = new Map()));
    lists.set(listId, added);
    for (const orderId of orderIdsOf(added.list)) {
      if (added.open.has(orderId)) this.#ofOrders.set(orderId, added);
    }
  }
}
