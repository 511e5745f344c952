import type { Exchange } from "./exchange.ts";

/** Resolves between commands, when read models show the last one whole. */
export async function whenSettled(exchange: Pick<Exchange, "unsettled">): Promise<void> {
  for (;;) {
    const unsettled = exchange.unsettled();
    if (unsettled === undefined) return;
    await unsettled;
  }
}
