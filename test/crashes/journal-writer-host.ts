/**
 * A process of its own that appends to a journal, one record per group, until it may no longer. It
 * says on its standard output `open`, then `ack <record>` for each, then why it ended.
 *
 * Arguments: the place of the journal, and what the records begin with.
 */
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openJournal } from "#journal/open-journal.ts";
import { whenDurable } from "#journal/when-durable.ts";
import { groupBehind } from "../support/record-groups.ts";

const [, , place, name] = process.argv;
const EVERY_MS = 2;

const say = (line: string) => writeSync(1, `${line}\n`);

const journal = await openJournal(place, {});
say("open");
try {
  for (let count = 1; ; count++) {
    const record = `${name}-${count}`;
    await whenDurable(journal.append(groupBehind(journal, [Buffer.from(record)])), () => undefined);
    say(`ack ${record}`);
    await delay(EVERY_MS);
  }
} catch (error) {
  say(error instanceof Error ? error.name : String(error));
}
await journal.close();
