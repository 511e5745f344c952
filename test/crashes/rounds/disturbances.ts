/** What happens to the exchange in a round, from a seed. */
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../disk/journal-disk.ts";
import { DATABASE, type DisturbedExchange } from "./disturbed-exchange.ts";

export interface Disturbance {
  readonly name: string;
  /** What it happens to: the name of a node, a server, or the database. */
  readonly to: string;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

type Draw = (exchange: DisturbedExchange, random: Random) => Promise<Disturbance>;

const LASTS_MS_MIN = 500;
const LASTS_MS = 8_000;
/** The second of two begins at most that much later. */
const APART_MS = 3_000;

const killNode: Draw = async (exchange, random) => {
  const [node, role] = await drawNode(exchange, random);
  return {
    name: `kill ${role}`,
    to: node.name,
    begin: () => node.server.kill(),
    end: () => node.server.restart(),
  };
};

const freezeNode: Draw = async (exchange, random) => {
  const [node, role] = await drawNode(exchange, random);
  return {
    name: `freeze ${role}`,
    to: node.name,
    begin: async () => node.server.signal("SIGSTOP"),
    end: async () => node.server.signal("SIGCONT"),
  };
};

const killServer: Draw = async ({ servers, streamLeader }, random) => {
  const [name, which] = await drawServer({ servers, streamLeader }, random);
  return {
    name: `kill ${which}`,
    to: name,
    begin: async () => servers.signal(name, "SIGKILL"),
    end: () => servers.relaunch(name),
  };
};

const freezeServer: Draw = async ({ servers, streamLeader }, random) => {
  const [name, which] = await drawServer({ servers, streamLeader }, random);
  return {
    name: `freeze ${which}`,
    to: name,
    begin: async () => servers.signal(name, "SIGSTOP"),
    end: async () => servers.signal(name, "SIGCONT"),
  };
};

/** From all servers, or from one. */
const cutNode: Draw = async (exchange, random) => {
  const [node, role] = await drawNode(exchange, random);
  const one = random(3) === 0 ? drawOf(exchange.servers.names, random) : undefined;
  return partition(
    `cut ${role} from ${one === undefined ? "all servers" : "one server"}`,
    node.name,
    exchange,
    (from, to) => from === node.name && (one === undefined || to === one),
    random,
  );
};

/** From the other servers, and from the nodes or not; or only from one other server. */
const cutServer: Draw = async (exchange, random) => {
  const { servers } = exchange;
  const [name, which] = await drawServer(exchange, random);
  const isOf = (from: string, to: string) => from === name || to === name;
  const isRoute = (from: string) => servers.names.includes(from);
  const kind = random(3);
  if (kind === 0) {
    return partition(`cut ${which} from nodes and servers`, name, exchange, isOf, random);
  }
  if (kind === 1) {
    const cuts = (from: string, to: string) => isRoute(from) && isOf(from, to);
    return partition(`cut ${which} from the servers`, name, exchange, cuts, random);
  }
  const others = servers.names.filter((other) => other !== name);
  const other = drawOf(others, random);
  const cuts = (from: string, to: string) =>
    [from, to].sort().join() === [name, other].sort().join();
  return partition(`cut ${which} from one server`, name, exchange, cuts, random);
};

/** From one node, or from all. */
const cutDatabase: Draw = async (exchange, random) => {
  const [node, role] = await drawNode(exchange, random);
  const isAll = random(2) === 0;
  const cuts = (from: string, to: string) => to === DATABASE && (isAll || from === node.name);
  const who = isAll ? "all nodes" : role;
  return partition(`cut ${who} from the database`, DATABASE, exchange, cuts, random);
};

const DRAWS: readonly Draw[] = [
  killNode,
  freezeNode,
  killServer,
  freezeServer,
  cutNode,
  cutServer,
  cutDatabase,
];

/** Draws one disturbance or two, says which, and has them happen. @returns what happened, in words */
export async function disturb(
  exchange: DisturbedExchange,
  random: Random,
  say: (what: string) => void,
): Promise<string> {
  const first = await drawOf(DRAWS, random)(exchange, random);
  // Drawn before the first begins, while the exchange still says who leads.
  const drawn = random(2) === 0 ? await drawOf(DRAWS, random)(exchange, random) : undefined;
  // No node starts without the database, so nothing else happens then.
  const isAlone = drawn?.to === first.to || [first.to, drawn?.to].includes(DATABASE);
  const second = isAlone ? undefined : drawn;
  const what = [first, second].flatMap((each) => each?.name ?? []).join(" and ");
  say(what);
  await Promise.all([
    happen(first, 0, random),
    second !== undefined && happen(second, random(APART_MS), random),
  ]);
  return what;
}

async function happen({ begin, end }: Disturbance, afterMs: number, random: Random): Promise<void> {
  const lastsMs = LASTS_MS_MIN + random(LASTS_MS);
  await delay(afterMs);
  await begin();
  await delay(lastsMs);
  await end();
}

/** A partition by links that carry nothing; in the end they deliver what was queued, or break. */
function partition(
  name: string,
  to: string,
  { links }: DisturbedExchange,
  isCut: (from: string, to: string) => boolean,
  random: Random,
): Disturbance {
  const cut = links.filter(({ from, to }) => isCut(from, to));
  const breaks = random(2) === 0;
  return {
    name: `${name}${breaks ? ", broken" : ", late"}`,
    to,
    begin: async () => cut.forEach(({ proxy }) => proxy.freeze()),
    end: async () =>
      cut.forEach(({ proxy }) => {
        if (breaks) proxy.cut();
        proxy.thaw();
      }),
  };
}

async function drawNode(exchange: DisturbedExchange, random: Random) {
  const leader = await exchange.leader();
  const standbys = exchange.nodes.filter((node) => node !== leader);
  const isLeader = random(2) === 0;
  return [
    isLeader ? leader : drawOf(standbys, random),
    isLeader ? "the leader" : "a standby",
  ] as const;
}

async function drawServer(
  { servers, streamLeader }: Pick<DisturbedExchange, "servers" | "streamLeader">,
  random: Random,
) {
  const leader = await streamLeader();
  const isLeader = random(2) === 0;
  const others = servers.names.filter((name) => name !== leader);
  return [
    isLeader ? leader : drawOf(others, random),
    isLeader ? "the stream's leader" : "another server",
  ] as const;
}

function drawOf<T>(choices: readonly T[], random: Random): T {
  return choices[random(choices.length)];
}
