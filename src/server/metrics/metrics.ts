/**
 * Metrics for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/): counters
 * and histograms are updated as events happen, gauges are read when requested. Labels have few
 * values, none of which clients can choose.
 */
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Exchange } from "../exchange/exchange.ts";
import type { FinishedRequest } from "../http/request-log.ts";
import { measuredExchange } from "./command-metrics.ts";
import { requestMetrics } from "./request-metrics.ts";
import { registerStates, type WatchedStates } from "./state-metrics.ts";

export interface Metrics {
  /** Wraps the exchange so that its commands are counted and timed. */
  measured(exchange: Exchange): Exchange;
  /** Counts a finished request. */
  finished(request: FinishedRequest): void;
  /** Reads these states whenever the metrics are requested. */
  watch(states: WatchedStates): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** @param accountsPath path of the auth API, such as "/api/auth" */
export function createMetrics(accountsPath: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = requestMetrics(registry, accountsPath);
  return {
    measured: (exchange) => measuredExchange(exchange, registry),
    finished: (request) => requests.finished(request),
    watch: (states) => registerStates(states, registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
