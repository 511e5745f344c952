/**
 * What an operator watches, for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/):
 * counts and times kept as things happen, states read when asked for. Labels have few values, none of
 * which a stranger chooses.
 */
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Exchange } from "../exchange/exchange.ts";
import type { FinishedRequest } from "../http/request-log.ts";
import { measuredExchange } from "./command-metrics.ts";
import { requestMetrics } from "./request-metrics.ts";
import { registerStates, type WatchedStates } from "./state-metrics.ts";

export interface Metrics {
  /** The same exchange, with its commands counted and timed. */
  measured(exchange: Exchange): Exchange;
  /** Counts a finished request. */
  finished(request: FinishedRequest): void;
  /** Reads these states whenever the metrics are asked for. */
  watch(states: WatchedStates): void;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** @param accountsPath such as "/api/auth" */
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
