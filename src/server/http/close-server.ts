/** Closes the port and its connections gracefully. */
import type { Server } from "node:http";

const GRACE_MS = 5_000;
const IDLE_CHECK_MS = 20;

/**
 * Accepts no new connections, waits for responses in progress, and closes the remaining connections
 * after the grace period. Upgraded connections no longer belong to the server: the code that
 * handles them closes them.
 */
export async function closeServer(server: Server, graceMs: number = GRACE_MS): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections become idle when their response has been sent; close them soon after.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
