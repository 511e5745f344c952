/** Compares what users were told with what the journal leads to. */
import { createEngine } from "#engine/engine.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { engineOptions } from "#server/exchange/engine-options.ts";
import { eventsUntil, type JournalSource } from "#server/inspection/journal-events.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import type { OrderClient } from "./order-client.ts";

/**
 * What is wrong: acknowledged orders that are not in the journal or other ones, orders that are there twice or
 * were refused, a state that the journal does not lead to, and whatever a verification finds.
 */
export async function faultsOf(
  source: JournalSource,
  clients: readonly OrderClient[],
  agreed: { readonly sequence: number; readonly hash: string },
): Promise<string[]> {
  const faults = clients.flatMap((client) => client.faults);
  const placed = new Map<number, number>();
  const report = await verifyJournal({
    ...source,
    onEvents(events: readonly ExchangeEvent[]) {
      for (const event of events) {
        if (event.type !== "orderPlaced") continue;
        const { quantityLots: key, orderId } = event;
        if (placed.has(key)) faults.push(`order ${key} was placed twice`);
        placed.set(key, orderId);
      }
    },
  });
  faults.push(...report.faults);
  for (const { acknowledged, refused } of clients) {
    for (const [key, orderId] of acknowledged) {
      const found = placed.get(key);
      if (found !== orderId)
        faults.push(`order ${key} was acknowledged as ${orderId}, not ${found}`);
    }
    for (const [key, code] of refused) {
      if (placed.has(key)) faults.push(`order ${key} was refused as ${code}, and placed`);
    }
  }
  const engine = createEngine(engineOptions);
  for await (const events of eventsUntil(source, agreed.sequence, engine)) void events;
  if (engine.stateHash() !== agreed.hash) {
    faults.push(`the nodes' state after ${agreed.sequence} is not what the journal leads to`);
  }
  return faults;
}
