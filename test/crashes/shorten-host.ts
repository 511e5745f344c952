/**
 * A process of its own that shortens a stream, and is killed at its nth change of the disk or of JetStream.
 *
 * Arguments: address of the journal, directory of archives, and n.
 */
import { jetstream } from "@nats-io/jetstream";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "#journal/file-system.ts";
import { connectTo, openStream } from "#journal/jetstream/connection.ts";
import { ServerChoice } from "#journal/jetstream/server-choice.ts";
import { shortenStream } from "#journal/jetstream/shorten-stream.ts";
import { parseStreamAddress } from "#journal/jetstream/stream-address.ts";
import { openBeginnings } from "#journal/jetstream/stream-beginning.ts";
import { streamMessages } from "#journal/jetstream/stream-messages.ts";

const [, , place, archive, step] = process.argv;
let left = Number(step);

function killHere(): void {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
}

const fileSystem: JournalFileSystem = {
  ...nodeFileSystem,
  open(path, access) {
    const file = nodeFileSystem.open(path, access);
    return {
      size: () => file.size(),
      read: (target, position) => file.read(target, position),
      write(bytes, position) {
        killHere();
        return file.write(bytes, position);
      },
      flush() {
        killHere();
        return file.flush();
      },
      close: () => file.close(),
    } satisfies JournalFile;
  },
  rename(from, to) {
    killHere();
    nodeFileSystem.rename(from, to);
  },
  flushDirectory(directory) {
    killHere();
    return nodeFileSystem.flushDirectory(directory);
  },
};

const address = parseStreamAddress(place);
const { stream: name } = address;
const connection = await connectTo(address);
const { manager } = await openStream(connection, address, false);
const client = jetstream(connection);
const beginnings = await openBeginnings(client, name, address.replicas);
const source = { jetstream: client, stream: name, server: new ServerChoice(connection) };
await shortenStream(
  {
    name,
    manager: {
      streams: {
        info: (stream) => manager.streams.info(stream),
        getMessage: (stream, query) => manager.streams.getMessage(stream, query),
        async purge(stream, options) {
          killHere();
          const answer = await manager.streams.purge(stream, options);
          killHere();
          return answer;
        },
      },
    },
    beginnings: {
      read: () => beginnings.read(),
      async write(value, revision) {
        killHere();
        const written = await beginnings.write(value, revision);
        killHere();
        return written;
      },
    },
    messages: (from) => streamMessages(source, from, new AbortController().signal),
  },
  {
    archive,
    fileSystem,
    term: 3,
    proven: Number.MAX_SAFE_INTEGER,
    prove: () => Promise.resolve(),
    endedBeforeMs: Number.MAX_SAFE_INTEGER,
    segmentsMax: 100,
    segmentBytes: 16_384,
  },
);
process.exit(0);
