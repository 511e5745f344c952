import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import type { RepeatedLog } from "../limits/repeated-log.ts";
import { createSilentLog } from "../log.ts";
import { logRequest } from "./request-log.ts";

function warnedOf(path: string, status: number): number {
  const warn = vi.fn();
  const response = Object.assign(new EventEmitter(), {
    statusCode: status,
    writableFinished: true,
  });
  const logs = {
    log: createSilentLog(),
    repeats: { warn } as unknown as RepeatedLog,
    onFinished: undefined,
  };
  const request = { headers: {}, method: "GET" } as IncomingMessage;
  logRequest(logs, request, response as unknown as ServerResponse, path, "127.0.0.1");
  response.emit("close");
  return warn.mock.calls.length;
}

test("who is turned away is a warning, and a health check that waits for the start is none", () => {
  expect(warnedOf("/api/v3/order", 503)).toBe(1);
  expect(warnedOf("/api/health", 503)).toBe(0);
  expect(warnedOf("/api/health/ready", 503)).toBe(0);
});
