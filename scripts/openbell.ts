/**
 * `npx openbell …`: reads a data directory without changing it, even while the exchange runs; sends
 * operator commands to a running exchange; repairs a stopped one whose parts do not belong together. An
 * error prints one sentence and exits with code 1.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readNamedFile } from "#server/catalogue/file-problem.ts";
import { askExchange } from "#server/control/control-socket.ts";
import type { Config } from "#server/settings/config.ts";
import {
  EXPORT_FORMATS,
  EXPORTS,
  type ExportFormat,
  type ExportName,
} from "#server/inspection/export-names.ts";
import type { JournalSource } from "#server/inspection/journal-events.ts";
import { keepFilesPrivate } from "#server/installation/file-permissions.ts";
import type { RepairOptions } from "#server/installation/repair.ts";
import {
  askAsOperator,
  OPERATOR_NOUNS,
  OPERATOR_USAGE,
} from "#server/control/operator-commands.ts";
import { orSayWhy } from "./or-say-why.ts";

const USAGE = `Usage:
  openbell start
      start the exchange, with the settings of the environment
  openbell --version
      print the version of the program and of the Node that runs it
  openbell verify  [--data DIR]
      replay the journal, add up its postings, hold every snapshot against it
  openbell replay  --to N [--market SYMBOL] [--account NUMBER|USER] [--data DIR]
      print the markets, or a book, or an account's balances and orders, as they were at sequence N
  openbell backup  --to DIR [--data DIR]
      copy the data directory, beside a running exchange too
  openbell export  --what ${EXPORTS.join("|")} --format ${EXPORT_FORMATS.join("|")}
                   [--from N] [--to N] [--data DIR]
      write rows to the standard output
  openbell catalogue show        [--data DIR]
      print the coins, plans, markets and participants of the running exchange as a catalogue file
  openbell catalogue plan  FILE  [--data DIR]
      say what a catalogue file would change on the running exchange
  openbell catalogue apply FILE  [--data DIR]
      change it
${OPERATOR_USAGE}  openbell send-test-mail ADDRESS
      send one mail at once, with the settings SMTP_URL and MAIL_FROM
  openbell create-admin ADDRESS [NAME]
      create an administrator, or make the user with that address one; the password is read from
      ADMIN_PASSWORD or the standard input

  openbell journal copy --from DIR|nats://… --to DIR|nats://…
      copy the journal of a stopped exchange from a data directory into NATS JetStream, or back, and
      prove that it leads to the same state
  openbell cluster status
      print the nodes of the exchange on NATS_URL: which leads, in which term, how far each has come
  openbell cluster step-down [--reason TEXT]
      have the leader step down in favour of another node

These change the data directory and the database; the exchange must be stopped. Without --confirm
they only say what they would do:
  openbell adopt-database [--confirm] [--data DIR]
      continue with the journal and the database as they are, although they do not belong together
  openbell begin-anew     [--confirm] [--data DIR]
      begin an empty exchange with the users of the database
  openbell database copy --to postgres://…|sqlite [--data DIR]
      copy accounts and history from the database in use (DATABASE_URL, or SQLite) to an empty one;
      at once, without --confirm, as the source stays as it is
  openbell rebuild-history
      project the history of the database anew from the journal, at once
`;

// The reader of the output may close it early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

keepFilesPrivate();
const [command, ...rest] = process.argv.slice(2);
const commands: Record<string, (args: string[]) => Promise<void>> = {
  // What a command needs is loaded by it alone, so that all the others start sooner.
  start: async () => void (await import("./start.ts")),
  verify,
  replay,
  backup,
  export: exportRows,
  catalogue,
  journal,
  cluster,
  ...Object.fromEntries(
    OPERATOR_NOUNS.map((noun) => [noun, (args: string[]) => operate(noun, args)]),
  ),
  "send-test-mail": sendMail,
  "create-admin": async (args) => (await import("./create-admin.ts")).createAdmin(args),
  database: moveDatabase,
  "rebuild-history": async () => (await import("./rebuild-history.ts")).rebuildFromJournal(),
  "adopt-database": (args) => repair(args, "adoptDatabase"),
  "begin-anew": (args) => repair(args, "beginAnew"),
};
const chosen =
  command !== undefined && Object.hasOwn(commands, command) ? commands[command] : undefined;
if (command === "version" || command === "--version" || command === "-v") {
  process.stdout.write(`openbell ${versionOf()}, Node ${process.versions.node}\n`);
} else if (chosen === undefined) {
  const asked = command === undefined || ["help", "--help", "-h"].includes(command);
  if (asked) process.stdout.write(USAGE);
  else {
    process.stderr.write(
      `There is no command ${command}. openbell without a command prints those that there are.\n`,
    );
  }
  process.exitCode = asked ? 0 : 1;
} else {
  await orSayWhy(() => chosen(rest));
}

function versionOf(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

async function verify(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { data: { type: "string" } },
    allowPositionals: true,
  });
  const { describeReport, verifyJournal } = await import("#server/inspection/verify-journal.ts");
  const report = await verifyJournal(await sourceOf(values.data ?? positionals[0]));
  await print(`${describeReport(report)}\n`);
  process.exitCode = report.faults.length === 0 ? 0 : 1;
}

async function replay(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      to: { type: "string" },
      market: { type: "string" },
      account: { type: "string" },
    },
  });
  const { market, account } = values;
  const to = sequenceOf("to", values.to, Number.POSITIVE_INFINITY);
  const { inspectJournal } = await import("#server/inspection/inspect-journal.ts");
  const lines = await inspectJournal({ ...(await sourceOf(values.data)), to, market, account });
  await print(`${lines.join("\n")}\n`);
}

async function backup(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { data: { type: "string" }, to: { type: "string" } },
  });
  if (values.to === undefined) throw new Error("--to must name a directory that is not there yet.");
  const { dataDir, journal } = await sourceOf(values.data);
  const { backUp } = await import("#server/inspection/back-up.ts");
  const { sequence, hasDatabase } = await backUp({
    from: dataDir,
    journal,
    to: values.to,
    tell: (sentence) => process.stderr.write(`${sentence}\n`),
  });
  await print(`Copied everything up to sequence ${sequence} to ${values.to}.\n`);
  if (!hasDatabase) await print("The accounts are in PostgreSQL: back it up with pg_dump too.\n");
}

async function exportRows(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      what: { type: "string" },
      format: { type: "string", default: "csv" },
      from: { type: "string" },
      to: { type: "string" },
    },
  });
  const { exportLines } = await import("#server/inspection/export-journal.ts");
  const lines = exportLines({
    ...(await sourceOf(values.data)),
    what: oneOf<ExportName>("--what", values.what, EXPORTS),
    format: oneOf<ExportFormat>("--format", values.format, EXPORT_FORMATS),
    from: sequenceOf("from", values.from, 1),
    to: sequenceOf("to", values.to, Number.POSITIVE_INFINITY),
  });
  for await (const line of lines) await print(line);
}

async function journal(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { from: { type: "string" }, to: { type: "string" } },
    allowPositionals: true,
  });
  oneOf("the request", positionals[0], ["copy"]);
  const { from, to } = values;
  if (from === undefined || to === undefined) {
    throw new Error("Say from where and to where: openbell journal copy --from … --to …");
  }
  const { placeWithArchive } = await import("#journal/open-journal.ts");
  const { copyJournalTo } = await import("#server/inspection/copy-journal.ts");
  const { ARCHIVE_DIR } = await settings();
  const [source, target] = [from, to].map((place) => placeWithArchive(place, ARCHIVE_DIR));
  const { sequence, stateHash } = await copyJournalTo(source, target, ({ message }) =>
    process.stderr.write(`${message}\n`),
  );
  await print(`Both have the commands up to sequence ${sequence} and lead to the same state:\n`);
  await print(`${stateHash}\n`);
}

async function cluster(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    options: { reason: { type: "string", default: "" } },
    allowPositionals: true,
  });
  const asked = oneOf("the request", positionals[0], ["status", "step-down"]);
  const { NATS_URL: address } = await settings();
  if (address === undefined) throw new Error("Set NATS_URL to the stream of the exchange.");
  // NATS is loaded only when it is used.
  const { askingNodes } = await import("#server/cluster/nats/ask-nodes.ts");
  if (asked === "status") {
    const { describeNodes } = await import("#server/cluster/describe-nodes.ts");
    const nodes = await askingNodes(address, (questions) => questions.list());
    await print(`${describeNodes(nodes).join("\n")}\n`);
    return;
  }
  const reason = `the operator: ${values.reason}`;
  const said = await askingNodes(address, (questions) => questions.stepDown(reason));
  if (said === undefined) throw new Error("No node leads at the moment.");
  await print(`${said}\n`);
}

async function catalogue(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { data: { type: "string" } },
    allowPositionals: true,
  });
  const [request, file] = positionals;
  const asked = oneOf("the request", request, ["show", "plan", "apply"]);
  if (asked !== "show" && file === undefined) {
    throw new Error(`Say which file: openbell catalogue ${asked} FILE`);
  }
  const text = file === undefined ? "" : readNamedFile(file);
  const answer = await askExchange(await dataDirOf(values.data), `/catalogue/${asked}`, text);
  await print(`${answer.lines.join("\n")}\n`);
  if (answer.isRefused) process.exitCode = 1;
}

async function operate(noun: string, args: string[]): Promise<void> {
  const answer = await askAsOperator(noun, args, dataDirOf);
  await print(`${answer.lines.join("\n")}\n`);
  if (answer.isRefused) process.exitCode = 1;
}

async function repair(args: string[], which: "adoptDatabase" | "beginAnew"): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { data: { type: "string" }, confirm: { type: "boolean", default: false } },
  });
  const { DATABASE_URL: databaseUrl } = await settings();
  const repairs = await import("#server/installation/repair.ts");
  const { createLog } = await import("#server/log.ts");
  const options: RepairOptions = {
    ...(await sourceOf(values.data)),
    databaseUrl,
    isConfirmed: values.confirm,
    log: createLog({ level: "error" }),
  };
  const says = await repairs[which](options);
  await print(`${says.join("\n")}\n\n`);
  if (values.confirm) await print("This is done. Start the exchange.\n");
  else {
    await print("Nothing was changed. Say the same with --confirm to do it.\n");
    process.exitCode = 1;
  }
}

async function moveDatabase(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { data: { type: "string" }, to: { type: "string" } },
    allowPositionals: true,
  });
  oneOf("the request", positionals[0], ["copy"]);
  const { to } = values;
  if (to === undefined || (to !== "sqlite" && !/^postgres(ql)?:/.test(to))) {
    throw new Error("--to must be sqlite, or the address of a PostgreSQL database: postgres://…");
  }
  const { copyDatabase } = await import("#server/installation/copy-database.ts");
  const { createLog } = await import("#server/log.ts");
  const dataDir = await dataDirOf(values.data);
  const toPostgres = to === "sqlite" ? undefined : to;
  const rows = await copyDatabase({
    source: { dataDir, databaseUrl: (await settings()).DATABASE_URL },
    target: { dataDir, databaseUrl: toPostgres },
    log: createLog({ level: "error" }),
    tell: (sentence) => process.stdout.write(`${sentence}\n`),
  });
  const setting = toPostgres === undefined ? "without DATABASE_URL" : "with that DATABASE_URL";
  await print(`\n${rows} rows are copied. Start the exchange ${setting}.\n`);
}

async function sendMail(args: string[]): Promise<void> {
  const [recipient] = args;
  if (recipient === undefined)
    throw new Error("Say to which address: openbell send-test-mail ADDRESS");
  const { sendTestMail } = await import("#server/accounts/mail/test-mail.ts");
  await sendTestMail(await settings(), recipient);
  await print(`The mail server has taken a test mail to ${recipient}.\n`);
}

/** Waits for a slow reader, so that an export of any size takes little memory. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** Locates the journal: in the given data directory, or else where the settings say. */
async function sourceOf(given: string | undefined): Promise<JournalSource> {
  if (given !== undefined) return { dataDir: given };
  const { journalPlaceOf } = await import("#server/exchange/open-exchange.ts");
  const config = await settings();
  return { dataDir: config.DATA_DIR, journal: journalPlaceOf(config) };
}

async function dataDirOf(given: string | undefined): Promise<string> {
  return given ?? (await settings()).DATA_DIR;
}

async function settings(): Promise<Config> {
  const { readConfig } = await import("#server/settings/config.ts");
  return readConfig(process.env);
}

function sequenceOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new Error(`--${name} must be a sequence, a whole number.`);
  }
  return value;
}

function oneOf<T extends string>(name: string, text: string | undefined, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === text);
  if (found === undefined) throw new Error(`${name} must be one of ${known.join(", ")}.`);
  return found;
}
