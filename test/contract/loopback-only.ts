/** Requests and sockets that clients open in this process, which must all be of this machine. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";

/** Every client has addresses of a real venue that its settings must replace: no request may go there. */
export function expectLoopbackOnly(): void {
  const hosts = new Set<string>();
  const note = (message: unknown) => {
    hosts.add((message as { readonly request: ClientRequest }).request.host);
  };
  beforeAll(() => subscribe("http.client.request.start", note));
  afterAll(() => {
    unsubscribe("http.client.request.start", note);
    expect([...hosts]).toEqual(["127.0.0.1"]);
  });
}
