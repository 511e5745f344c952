/** Opens the server's port, and tells at which host and port this process can reach itself. */
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
      const inUse = error.code === "EADDRINUSE";
      const sentence = inUse
        ? `Port ${config.PORT} of ${config.HOST} is in use. Stop what uses it, or set PORT.`
        : `Cannot listen on ${config.HOST}, port ${config.PORT}: ${error.message}`;
      failed(new Error(sentence, { cause: error }));
    });
    server.listen(config.PORT, config.HOST, listening);
  });
}

/** Host and port at which this process can reach itself. */
export function hostOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  if (address === "0.0.0.0" || address === "::") return `127.0.0.1:${port}`;
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}
