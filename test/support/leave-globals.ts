/**
 * Files of tests share a process: each hands the next one a true clock and the globals of Node, and leaves
 * no server behind.
 */
import { afterAll, vi } from "vitest";
import { endServerProcesses } from "./running-server.ts";

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  return endServerProcesses();
});
