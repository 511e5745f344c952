/**
 * Limits how many of a WebSocket's received bytes are parsed at once. Node reads up to 64 KB, which may
 * be ten thousand frames: the library would parse all of them, even those that follow the one for which
 * the connection was paused or ended.
 *
 * - A socket's bytes are parsed in chunks, with a turn of the event loop after each.
 * - Nothing is parsed while the WebSocket is paused, nor once the connection is gone.
 */
import type { Socket } from "node:net";

/** At most some 1 400 frames, which take less than half a millisecond. */
const CHUNK_BYTES = 8 * 1024;

interface PausableSocket {
  readonly isPaused: boolean;
  readonly readyState: number;
  readonly OPEN: number;
  on(event: "error", listener: () => void): unknown;
}

/**
 * Installs the limit. Call once per WebSocket, before anything else listens to the socket's data.
 * @param onDropped called with the milliseconds spent on bytes that came after the WebSocket was closed
 * here: no other limit knows of them, because their content is dropped
 */
export function parseInChunks(
  ws: PausableSocket,
  socket: Socket,
  onDropped: (ms: number) => void,
): void {
  // The library's own listener, which parses all that it is given.
  const [parse] = socket.listeners("data") as ((chunk: Buffer) => void)[];
  socket.off("data", parse);
  let rest: Buffer | undefined;
  let isOver = false;
  let isScheduled = false;

  function parseNext(): void {
    isScheduled = false;
    if (socket.destroyed) end();
    // When the WebSocket is resumed, so is the socket.
    if (rest === undefined || ws.isPaused) return;
    const chunk = rest.subarray(0, CHUNK_BYTES);
    rest = rest.length > CHUNK_BYTES ? rest.subarray(CHUNK_BYTES) : undefined;
    const isOpen = ws.readyState === ws.OPEN;
    const startedMs = performance.now();
    parse.call(socket, chunk);
    if (!isOpen) onDropped(performance.now() - startedMs);
    if (rest !== undefined) continueLater();
    else if (socket.isPaused() && !ws.isPaused) socket.resume();
  }

  /** Nothing more is read until then. */
  function continueLater(): void {
    socket.pause();
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(parseNext);
  }

  function end(): void {
    isOver = true;
    rest = undefined;
  }

  socket.on("data", (chunk: Buffer) => {
    if (isOver) return;
    rest = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    // Those that wait already go first.
    if (!isScheduled) parseNext();
  });
  socket.on("resume", () => {
    if (rest !== undefined) continueLater();
  });
  // After an invalid frame nothing can be parsed.
  ws.on("error", end);
  // Before the library's listener, after which nothing more can be parsed.
  socket.prependListener("end", () => {
    while (rest !== undefined && ws.readyState === ws.OPEN && !ws.isPaused) {
      const chunk = rest.subarray(0, CHUNK_BYTES);
      rest = rest.length > CHUNK_BYTES ? rest.subarray(CHUNK_BYTES) : undefined;
      parse.call(socket, chunk);
    }
    end();
  });
  // Before the library's listener, which would parse the unread bytes.
  socket.prependListener("close", () => {
    end();
    socket.read();
  });
}
