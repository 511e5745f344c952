/** The services that functions and pages are given; main.ts is the only place that makes them. */
import type { Config } from "./config.ts";
import type { Exchange } from "./exchange/exchange.ts";

export interface Services {
  readonly config: Config;
  readonly exchange: Exchange;
}
