/** Shortens the stream at an address over a connection of its own. */
import { jetstream } from "@nats-io/jetstream";
import { connectTo, openStream } from "./connection.ts";
import { ServerChoice } from "./server-choice.ts";
import { type ShortenedStream, type ShortenOptions, shortenStream } from "./shorten-stream.ts";
import { describeAddress, parseStreamAddress } from "./stream-address.ts";
import { openBeginnings } from "./stream-beginning.ts";
import { streamMessages } from "./stream-messages.ts";

/**
 * @param place names the archive, too
 * @throws as `shortenStream`, and Error with a sentence if JetStream does not let the stream be shortened
 */
export async function shortenAt(
  place: string,
  options: Omit<ShortenOptions, "archive">,
): Promise<ShortenedStream> {
  const address = parseStreamAddress(place);
  const { archive, replicas, stream: name } = address;
  if (archive === undefined) throw new Error("no archive is named");
  const connection = await connectTo(address);
  const ended = new AbortController();
  try {
    const { manager, isShortened } = await openStream(connection, address, false);
    if (!isShortened) {
      throw new Error(
        `${describeAddress(address)} was created to keep all messages (deny_purge), which NATS does not ` +
          "take back: with the exchange stopped, copy it to another stream (openbell journal copy, with " +
          "ARCHIVE_DIR set)",
      );
    }
    const client = jetstream(connection);
    const source = { jetstream: client, stream: name, server: new ServerChoice(connection) };
    return await shortenStream(
      {
        name,
        manager,
        beginnings: await openBeginnings(client, name, replicas),
        messages: (fromPosition) => streamMessages(source, fromPosition, ended.signal),
      },
      { ...options, archive },
    );
  } finally {
    ended.abort();
    await connection.close();
  }
}
