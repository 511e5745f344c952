/** Warns of valid settings that are probably mistakes. */
import type { Log } from "../log.ts";
import { type Config, isPublic } from "./config.ts";

export function warnOfSettings(config: Config, log: Log): void {
  if (config.ENVIRONMENT === "development" && isPublic(config)) {
    log.warn(
      "PUBLIC_URL is an https address, so strangers may come, and ENVIRONMENT is development: set " +
        "ENVIRONMENT=production. The outbox is closed meanwhile",
    );
  }
  if (isPublic(config) && config.SMTP_URL === undefined) {
    log.warn("SMTP_URL is not set: mail to reset a password or confirm an address is not sent");
  }
  const funded = config.CATALOGUE?.declared.coins.filter(({ transfers }) => transfers) ?? [];
  if (funded.length > 0 && config.FUNDED_MODE === "off") {
    const symbols = funded.map(({ symbol }) => symbol).join(", ");
    log.warn(
      `${symbols} can be neither paid in nor withdrawn: set FUNDED_MODE=manual (docs/transfers.md)`,
    );
  }
}
