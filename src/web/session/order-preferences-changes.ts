/**
 * How users choose when an order has to be confirmed. Beside order-preferences.ts, since the ticket needs
 * none of it before it asks.
 */
import {
  type ConfirmableKind,
  orderPreferences,
  type OrderPreferences,
  preferences,
} from "./order-preferences.ts";

export const CONFIRMABLE_KINDS: readonly {
  readonly kind: ConfirmableKind;
  readonly label: string;
}[] = [
  { kind: "limit", label: "Limit orders" },
  { kind: "market", label: "Market orders" },
  { kind: "triggered", label: "Stop, take-profit and trailing orders" },
  { kind: "linked", label: "OCO and orders with exits" },
];

export function changeOrderPreferences(change: Partial<OrderPreferences>): void {
  preferences.set({ ...preferences.read(), ...change });
}

export function askBefore(kind: ConfirmableKind, isAsked: boolean): void {
  const { confirmations } = orderPreferences();
  changeOrderPreferences({ confirmations: { ...confirmations, [kind]: isAsked } });
}
