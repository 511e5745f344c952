import { networkInterfaces } from "node:os";
import type { Config } from "../settings/config.ts";

/**
 * Origins whose pages may send requests with cookies. In development, the same server is reached
 * under several names of one machine; names are never taken from the request, which can be forged.
 */
export function trustedOrigins(config: Config, publicUrl: string): string[] {
  const { origin, port, protocol } = new URL(publicUrl);
  const origins = new Set([origin]);
  if (config.ENVIRONMENT === "development" && protocol === "http:") {
    const names = ["localhost", "127.0.0.1", "[::1]"];
    if (config.HOST === "0.0.0.0" || config.HOST === "::") {
      for (const { address, family } of Object.values(networkInterfaces()).flatMap(
        (all) => all ?? [],
      )) {
        if (family === "IPv4") names.push(address);
      }
    }
    for (const name of names) origins.add(`http://${name}${port === "" ? "" : `:${port}`}`);
  }
  return [...origins];
}
