/** Closes the port and its connections gracefully. */
import type { Server } from "node:http";

const GRACE_MS = 5_000;
const LOOK_FOR_IDLE_MS = 20;

/**
 * Accepts nothing more, waits for answers in progress, and closes what is still open after the
 * grace period. Upgraded connections no longer belong to the server: the code that took them over
 * closes them.
 */
export async function closeServer(server: Server, graceMs: number = GRACE_MS): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection becomes idle when its answer has been sent; it is closed soon after.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
