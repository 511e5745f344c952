/** A reverse proxy like an operator's: terminates TLS and forwards client addresses. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createTlsCertificate } from "./tls-certificate.ts";

export interface TlsProxy {
  readonly port: number;
  /** Where requests are forwarded, such as "http://127.0.0.1:3000"; null until known. */
  target: string | null;
  close(): Promise<void>;
}

export async function startTlsProxy(host: string): Promise<TlsProxy> {
  const server = createServer(createTlsCertificate([host]));
  const proxy: TlsProxy = {
    get port() {
      return (server.address() as AddressInfo).port;
    },
    target: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (proxy.target === null) {
      response.writeHead(502).end();
      return;
    }
    const { method, socket } = request;
    const headers = {
      ...request.headers,
      "x-forwarded-for": socket.remoteAddress,
      "x-forwarded-proto": "https",
    };
    const passedOn = httpRequest(new URL(request.url ?? "/", proxy.target), { method, headers });
    passedOn.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    passedOn.on("error", () => response.destroy());
    request.pipe(passedOn);
  });
  // Pages work without their WebSocket in these tests.
  server.on("upgrade", (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return proxy;
}
