/** For tests of the reactive server: sends protocol messages directly, in any order. */
import { WebSocket } from "ws";
import type { Answer, TestServer } from "./reactive-server.ts";

/** Opens a client that sends the test's messages and records those it receives. */
export async function openSocket(
  server: TestServer,
  options: {
    version?: string;
    protocols?: string[];
    headers?: Record<string, string>;
    autoPong?: boolean;
  } = {},
) {
  const { version = "1.48.0", protocols = [], ...socketOptions } = options;
  const socket = new WebSocket(
    `${server.address.replace("http", "ws")}/api/${version}/sync`,
    protocols,
    socketOptions,
  );
  const heard: Answer[] = [];
  const closed: { code?: number; reason?: string } = {};
  socket.on("message", (data) => heard.push(JSON.parse((data as Buffer).toString())));
  socket.on("close", (code, reason) => Object.assign(closed, { code, reason: reason.toString() }));
  socket.on("error", () => {});
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const send = (message: unknown) =>
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
  return { socket, heard, closed, send };
}

export const CONNECT = {
  type: "Connect",
  sessionId: "s",
  connectionCount: 0,
  lastCloseReason: null,
  clientTs: 0,
};
export const addQuery = (queryId: number, udfPath: string, args: unknown, baseVersion = 0) => ({
  type: "ModifyQuerySet",
  baseVersion,
  newVersion: baseVersion + 1,
  modifications: [{ type: "Add", queryId, udfPath, args: [args] }],
});
