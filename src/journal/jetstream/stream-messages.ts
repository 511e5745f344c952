/** Reads a stream from a position on, without a gap, and survives lost connections and servers. */
import { setTimeout as delay } from "node:timers/promises";
import { DeliverPolicy, type JetStreamClient } from "@nats-io/jetstream";
import { JournalShortenedError } from "../journal.ts";
import { engineVersionIn, STATE_HASH_HEADER } from "./message-headers.ts";
import type { StoredMessage } from "./message-verifier.ts";
import type { ServerChoice } from "./server-choice.ts";
import { StallWatch } from "./stall-watch.ts";
import { readBeginning } from "./stream-beginning.ts";
import { shortenedTo } from "./stream-tail.ts";

/** The most bytes in transit to this process at once. */
const AHEAD_BYTES_MAX = 8 << 20;
const PULL_MS = 5_000;
const HEARTBEAT_MS = 500;
/** After that long without a message or heartbeat, the server that serves this reader counts as lost. */
const SILENCE_MS_MAX = 2_000;
const RETRY_AFTER_MS = 100;

/** A stream, and the way to it. */
interface StreamSource {
  readonly jetstream: JetStreamClient;
  readonly stream: string;
  readonly server: ServerChoice;
}

/**
 * Ends when the signal is aborted; retries after other errors.
 * @throws Error if the connection is closed or the stream deleted, JournalShortenedError if the next message
 * was removed from the stream
 */
export async function* streamMessages(
  source: StreamSource,
  fromPosition: number,
  signal: AbortSignal,
): AsyncGenerator<StoredMessage> {
  let next = fromPosition;
  while (!signal.aborted) {
    try {
      for await (const message of readOnce(source, next, signal)) {
        // A recreated consumer may begin earlier; one that begins later has lost messages.
        if (message.position < next) continue;
        if (message.position > next) {
          await requireNotRemoved(source, next);
          break;
        }
        next += 1;
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (jetstreamIsGone(error) || error instanceof JournalShortenedError) throw error;
      source.server.onSilence();
    }
    if (!signal.aborted) await delay(RETRY_AFTER_MS);
  }
}

async function* readOnce(
  { jetstream, stream, server }: StreamSource,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<StoredMessage> {
  const consumer = await jetstream.consumers.get(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: position,
  });
  server.onAnswer();
  const messages = await consumer.consume({
    max_bytes: AHEAD_BYTES_MAX,
    expires: PULL_MS,
    idle_heartbeat: HEARTBEAT_MS,
    abort_on_missing_resource: true,
  });
  // The client would wait for the lost consumer's own server to return.
  let heardAt = performance.now();
  let isWaiting = true;
  let next = position;
  const stalls = new StallWatch(
    async () => (await (await jetstream.jetstreamManager()).streams.info(stream)).state.last_seq,
    () => performance.now(),
  );
  const watch = setInterval(() => {
    if (!isWaiting) return;
    if (performance.now() - heardAt > SILENCE_MS_MAX) messages.stop();
    void stalls.isStalled(next).then((isStalled) => isStalled && messages.stop());
  }, HEARTBEAT_MS);
  const stop = () => messages.stop();
  signal.addEventListener("abort", stop);
  // It may have left while the consumer was created: nothing would report that later.
  if (signal.aborted) stop();
  void (async () => {
    for await (const status of messages.status()) {
      if (status.type === "heartbeat") heardAt = performance.now();
    }
  })();
  try {
    for await (const { seq, subject, data, headers } of messages) {
      isWaiting = false;
      next = seq + 1;
      const hasHash = headers?.has(STATE_HASH_HEADER) === true;
      const stateHash = hasHash ? headers?.get(STATE_HASH_HEADER) : undefined;
      yield { position: seq, subject, data, stateHash, engineVersion: engineVersionIn(headers) };
      isWaiting = true;
      heardAt = performance.now();
      if (signal.aborted) return;
    }
  } finally {
    clearInterval(watch);
    signal.removeEventListener("abort", stop);
    messages.stop();
    void consumer.delete().catch(() => undefined);
  }
}

async function requireNotRemoved(
  { jetstream, stream }: StreamSource,
  position: number,
): Promise<void> {
  const { streams } = await jetstream.jetstreamManager();
  const { state } = await streams.info(stream);
  if (state.first_seq <= position) return;
  const beginning = await readBeginning(streams, stream);
  throw shortenedTo(stream, beginning?.header.firstSequence ?? 0);
}

function jetstreamIsGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "StreamNotFoundError" || error.name === "ClosedConnectionError";
}
