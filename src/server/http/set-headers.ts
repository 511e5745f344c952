import type { ServerResponse } from "node:http";

/** Header names and values in turn. */
export type HeaderList = readonly (string | number)[];

export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let at = 0; at < headers.length; at += 2) {
    response.setHeader(String(headers[at]), headers[at + 1]);
  }
}
