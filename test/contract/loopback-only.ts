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
  const noteFetch = (message: unknown) => {
    const { request } = message as { readonly request: { readonly origin: string } };
    hosts.add(new URL(request.origin).hostname);
  };
  beforeAll(() => {
    subscribe("http.client.request.start", note);
    subscribe("undici:request:create", noteFetch);
  });
  afterAll(() => {
    unsubscribe("http.client.request.start", note);
    unsubscribe("undici:request:create", noteFetch);
    expect([...hosts]).toEqual(["127.0.0.1"]);
  });
}
