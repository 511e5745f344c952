/**
 * Test files share a process: after each, restores the real clock and Node's own globals, and kills
 * servers left running.
 */
import { afterAll, vi } from "vitest";
import { endServerProcesses } from "./running-server.ts";

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  return endServerProcesses();
});
