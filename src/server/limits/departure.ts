import type { ServerResponse } from "node:http";

/** A signal that is aborted when a request's caller has left, or has been answered. */
export function departureOf(response: ServerResponse): AbortSignal {
  const departure = new AbortController();
  if (response.destroyed) departure.abort();
  else response.once("close", () => departure.abort());
  return departure.signal;
}
