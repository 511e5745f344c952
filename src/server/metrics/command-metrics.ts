/** Metrics of commands: how many are executed, and how long each waits for its durable outcome. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { CommandOutcome, Exchange } from "../exchange/exchange.ts";

/**
 * Histogram buckets in seconds. Half of them are below the time of an order on a disk that flushes
 * in a few milliseconds.
 */
const BUCKETS = [
  0.001, 0.002, 0.003, 0.005, 0.008, 0.015, 0.03, 0.06, 0.125, 0.25, 0.5, 1, 2.5, 10,
];

export function measuredExchange(exchange: Exchange, registry: Registry): Exchange {
  /** Since the metrics were read last: the library takes longer for each than to count it here. */
  const counts = { accepted: 0, refused: 0, failed: 0 };
  const commands = new Counter({
    name: "openbell_commands_total",
    help: "Commands by outcome: accepted, refused by the engine, or failed before they were durable.",
    labelNames: ["outcome"] as const,
    registers: [],
    collect() {
      for (const outcome of ["accepted", "refused", "failed"] as const) {
        this.inc({ outcome }, counts[outcome]);
        counts[outcome] = 0;
      }
    },
  });
  registry.registerMetric(commands);
  const seconds = new Histogram({
    name: "openbell_command_seconds",
    help: "From the submission of a command to its durable outcome.",
    buckets: BUCKETS,
    registers: [registry],
  });

  async function submit(...parameters: Parameters<Exchange["submit"]>): Promise<CommandOutcome> {
    const startedMs = performance.now();
    try {
      const outcome = await exchange.submit(...parameters);
      seconds.observe((performance.now() - startedMs) / 1_000);
      counts[outcome.rejected === undefined ? "accepted" : "refused"] += 1;
      return outcome;
    } catch (error) {
      counts.failed += 1;
      throw error;
    }
  }

  return { ...exchange, submit };
}
