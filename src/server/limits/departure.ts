import type { ServerResponse } from "node:http";

/** Aborted when the caller of a request has left or been answered. */
export function departureOf(response: ServerResponse): AbortSignal {
  const departure = new AbortController();
  if (response.destroyed) departure.abort();
  else response.once("close", () => departure.abort());
  return departure.signal;
}
