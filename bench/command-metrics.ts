/** What a running server says of its commands in its metrics. */
import { METRICS_TOKEN } from "./page-scene.ts";

/** Cumulative counts of commands by the upper limit of their time, in seconds. */
export type CommandTimes = ReadonlyMap<number, number>;

/** All metrics of a server, as Prometheus reads them. */
export async function metricsOf(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return await (await fetch(`${url}/metrics`, { headers })).text();
}

/**
 * How many commands the server has carried out, by the time from their submission to their durable
 * outcome: what waits in the processes that measure is not part of it.
 */
export async function commandTimesOf(url: string): Promise<CommandTimes> {
  const text = await metricsOf(url);
  const found = text.matchAll(/^openbell_command_seconds_bucket\{le="([^"]+)"[^}]*\} (\S+)$/gm);
  return new Map(
    Array.from(found, ([, limit, count]) => [
      limit === "+Inf" ? Infinity : Number(limit),
      Number(count),
    ]),
  );
}

/** Within which limits half and 99 % of the commands between two readings were answered. */
export function timesBetween(from: CommandTimes, to: CommandTimes): string {
  const counts = [...to].map(([limit, count]) => [limit, count - (from.get(limit) ?? 0)] as const);
  const all = counts.at(-1)?.[1] ?? 0;
  const within = (share: number) =>
    ((counts.find(([, count]) => count >= share * all)?.[0] ?? Infinity) * 1_000).toFixed(0);
  return `p50 within ${within(0.5)}, p99 within ${within(0.99)} ms of ${all}`;
}
