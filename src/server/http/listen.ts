/** Opens the server's port, and returns the host and port at which this process can reach itself. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Starts listening.
 * @throws Error with a sentence for the operator
 */
export async function listen(
  server: Server,
  config: { readonly HOST: string; readonly PORT: number },
): Promise<void> {
  await new Promise<void>((listening, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      failed(new Error(sentenceOf(error, config), { cause: error }));
    });
    server.listen(config.PORT, config.HOST, listening);
  });
}

function sentenceOf(
  { code, message }: NodeJS.ErrnoException,
  { HOST, PORT }: { readonly HOST: string; readonly PORT: number },
): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${PORT} of ${HOST} is in use. Stop what uses it, or set PORT.`;
    case "EACCES":
      return (
        `Port ${PORT} of ${HOST} is not open to this user. Set PORT to 1024 or more, and let a proxy ` +
        "take what comes to 80 and 443."
      );
    default:
      return `Cannot listen on ${HOST}, port ${PORT}: ${message}. Set HOST to an address of this machine.`;
  }
}

/** Host and port at which this process can reach itself. */
export function hostOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  if (address === "0.0.0.0" || address === "::") return `127.0.0.1:${port}`;
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}
