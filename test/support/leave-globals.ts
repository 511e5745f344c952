/**
 * Test files share a process: each leaves a real clock, Node's own globals and no running server to
 * the next one.
 */
import { afterAll, vi } from "vitest";
import { endServerProcesses } from "./running-server.ts";

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  return endServerProcesses();
});
