/**
 * Stores a visitor's ticket entries in this tab while they sign in or up. A later release that has more
 * entries reads them too, so the key has a version only for entries whose meaning changes.
 */
import { entriesOf, type TicketEntries, type TicketState } from "./ticket-state.ts";

const STORAGE_KEY = "openbell.trade.ticket.1";

/** Entries expire after an hour: their prices are out of date. */
const LIFETIME_MS = 60 * 60_000;

interface StoredEntries {
  readonly keptAt: number;
  readonly market: string;
  readonly entries: TicketEntries;
}

export function keepEntries(market: string, state: TicketState): void {
  const kept: StoredEntries = { keptAt: Date.now(), market, entries: entriesOf(state) };
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
}

/** @returns the stored entries; null if nothing was entered for this market within the last hour */
export function readEntries(market: string): TicketEntries | null {
  const text = sessionStorage.getItem(STORAGE_KEY);
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as StoredEntries;
    const isUsable = kept.market === market && Date.now() - kept.keptAt < LIFETIME_MS;
    return isUsable ? kept.entries : null;
  } catch {
    return null;
  }
}

export function forgetEntries(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}
