/**
 * Opens the exchange on one node of several: every node follows the journal, one leads, and commands
 * submitted here reach whichever that is.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { NodeRole } from "#contract/nodes.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { ExchangeBusyError, ExchangeStoppedError } from "../exchange/exchange-errors.ts";
import { type NodeOptions, openNode } from "../exchange/open-exchange.ts";
import type { StateHash } from "../exchange/run-follower.ts";
import type { SharedLimits } from "../limits/shared-limits.ts";
import { messageOf } from "../log.ts";
import { ClusterCommands } from "./cluster-commands.ts";
import type { ClusterLinks, NodeStatus, UserChange } from "./cluster-links.ts";
import { CommandIntake } from "./command-intake.ts";
import { BEAT_MS, Leadership } from "./leadership.ts";
import { roleOf } from "./node-role.ts";

export interface ClusterOptions extends Omit<NodeOptions, "node" | "onDelivered"> {
  /** Called whenever this node starts or stops leading. */
  readonly onLeads?: (leads: boolean) => void;
  /** Called with another node's changes in the database, soon after most of them. */
  readonly onChangedElsewhere?: (change: UserChange) => void;
  /** Limits that count over all nodes: their use is reported to the other nodes and received from them. */
  readonly sharedLimits?: SharedLimits | undefined;
  /** How many commands lie between snapshots that are shared. */
  readonly sharedEvery?: number;
}

export interface ClusterExchange extends Exchange {
  status(): NodeStatus;
  /** Whether this node's views are as new as the leader's, except for moments. */
  isReady(): boolean;
  /** As `submit`, but rejects with `NotLeadingError` unless this node leads. */
  readonly submitHere: Exchange["submit"];
  /** Leaves the lead to another node. @returns false if this node does not lead */
  stepDown(): boolean;
  /** Announces this node's changes in the database to the other nodes. */
  tell(change: UserChange): void;
  /** Questions that an operator may ask all nodes. */
  readonly nodes: ClusterLinks["nodes"];
}

const WAITS =
  "this node waits: an older version of the program leads, which is to be stopped last (docs/cluster.md)";

const now = (): number => performance.now();

/**
 * How many commands lie between snapshots that are shared: a start replays that many in some seconds, and
 * their journal is smaller than a snapshot. The leader leaves it to another node while there is one.
 */
const SHARED_EVERY_COMMANDS = 500_000;

/** The time by whose use on several nodes a client may exceed a limit. */
const USE_TOLD_EVERY_MS = 100;

/** Resolves when this node follows the journal and a node has led. @throws as `openNode` */
export async function openCluster(options: ClusterOptions): Promise<ClusterExchange> {
  const { journal, log } = options;
  // oxlint-disable-next-line no-restricted-imports -- NATS is loaded only when it is used
  const { openNatsLinks } = await import("./nats/nats-links.ts");
  const links = await openNatsLinks(journal);
  try {
    return await open(options, links);
  } catch (error) {
    await links.close();
    log.warn({ reason: messageOf(error) }, "this node could not join the others");
    throw error;
  }
}

async function open(options: ClusterOptions, links: ClusterLinks): Promise<ClusterExchange> {
  const { log, sharedEvery = SHARED_EVERY_COMMANDS, snapshots } = options;
  const node = randomUUID();
  let isRestoring = false;
  /** Whether the leader has an older engine, so that this node's own results are not shown. */
  let isWaiting = false;
  let compared: StateHash | undefined;
  /** This node's role as of the last check, and since when it has it. */
  let lastRole: { readonly role: NodeRole; readonly sinceMs: number } | undefined;
  let endServing = (): void => undefined;
  const intake = new CommandIntake({ now, submitHere: (...args) => exchange.submit(...args) });
  const commands = new ClusterCommands({
    submitHere: (...args) => exchange.submit(...args),
    leader: links.leader,
    newId: randomUUID,
    delay,
    backlogMax: options.backlogMax,
  });
  const leadership = new Leadership({
    node,
    store: links.lease,
    now,
    isCandidate: () =>
      ["standby", "waiting"].includes(statusNow().role) && exchange.health().status === "ok",
    position: () => ({ term: commands.term, sequence: exchange.health().sequence }),
    lead: () => exchange.lead(),
    stepDown: () => void stepDown(),
  });

  const follow = (): void => {
    endServing();
    endServing = () => undefined;
    intake.end();
    const wasLeading = commands.isLeading;
    commands.onFollowing();
    if (wasLeading) options.onLeads?.(false);
  };
  const exchange = await openNode({
    ...options,
    snapshots: snapshots && {
      ...snapshots,
      // The leader leaves it to another node while there is one.
      sharedEvery: () => (commands.isLeading ? 2 * sharedEvery : sharedEvery),
      term: () => (commands.isLeading ? commands.term : undefined),
    },
    onDelivered: (sequence, events) => commands.onDelivered(sequence, events),
    node: {
      onTerm(term, isOlder) {
        if (isOlder && !isWaiting) log.info({ term, node }, WAITS);
        isWaiting = isOlder;
        commands.onTerm(term);
      },
      onLeading(term) {
        isWaiting = false;
        leadership.onLeading();
        intake.begin(term);
        endServing = links.serve(term, (request) => intake.take(term, request));
        commands.onLeading(term);
        log.info({ term, node }, "this node leads");
        options.onLeads?.(true);
      },
      onFollowing(reason, isFenced) {
        leadership.onFollowing();
        isRestoring ||= isFenced;
        follow();
        log.info({ reason, node }, "this node follows");
      },
      onCaughtUp() {
        isRestoring = false;
        log.info({ node }, "this node has caught up");
      },
      onStateCompared: (state) => void (compared = state),
    },
  });

  const statusNow = (): NodeStatus => {
    const { sequence } = exchange.health();
    const newest = leadership.newest;
    const behind = commands.isLeading ? 0 : Math.max(0, (newest?.sequence ?? 0) - sequence);
    const role = roleOf({
      isLeading: commands.isLeading,
      isRestoring,
      isWaiting,
      behind,
      unseenMs: now() - leadership.seenMs,
    });
    if (lastRole?.role !== role) lastRole = { role, sinceMs: Date.now() };
    return {
      node,
      role,
      since: lastRole.sinceMs,
      term: commands.term,
      leader: newest?.isReleased === false ? newest.node : undefined,
      sequence,
      behind,
      compared,
      place: `${hostname()}, process ${process.pid}`,
    };
  };
  const stepDown = (): boolean => {
    if (!commands.isLeading) return false;
    leadership.abstain();
    exchange.stepDown();
    follow();
    return true;
  };
  links.answerOperators({
    status: statusNow,
    stepDown(reason) {
      if (!stepDown()) return undefined;
      log.info({ reason, node }, "this node was told to step down");
      return `${statusNow().place} has been told to step down.`;
    },
  });
  links.onTold((from, change) => {
    if (from !== node) options.onChangedElsewhere?.(change);
  });
  const endSharing = shareLimits(options.sharedLimits, node, links);
  const noticeStop = (): void => {
    const { failure } = exchange.health();
    if (failure === undefined) return;
    commands.fail(new ExchangeStoppedError(failure));
    leadership.onFollowing();
    if (commands.isLeading) follow();
  };
  const beats = startBeats(leadership, log, noticeStop);

  try {
    // Only a leader's term gives a new stream its identity.
    await commands.whenBegun();
  } catch (error) {
    endSharing();
    await Promise.all([beats.end(), exchange.close()]);
    throw error;
  }

  return {
    ...exchange,
    submit(command, idempotencyKey = "") {
      // The leader's answers may differ from this node's state.
      if (isWaiting) return Promise.reject(new ExchangeBusyError(commands.waiting));
      return commands.submit(command, idempotencyKey);
    },
    submitHere: (command, idempotencyKey) => exchange.submit(command, idempotencyKey),
    status: statusNow,
    isReady: () => ["leader", "standby"].includes(statusNow().role),
    stepDown,
    tell: (change) => links.tell(node, change),
    nodes: links.nodes,
    async close() {
      endSharing();
      await beats.end();
      follow();
      // Everything submitted is durable before another node is let in.
      await exchange.close();
      commands.fail(new ExchangeStoppedError("it was closed"));
      await leadership.release().catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, "the lease was not released");
      });
      await links.close();
    },
  };
}

/** @returns a function that ends it */
function shareLimits(
  limits: SharedLimits | undefined,
  node: string,
  links: Pick<ClusterLinks, "tellUse" | "onUse">,
): () => void {
  if (limits === undefined) return () => undefined;
  links.onUse(({ from, told }) => {
    if (from !== node) limits.receive(from, told);
  });
  const telling = setInterval(() => {
    const told = limits.takeReport();
    if (told !== undefined) links.tellUse({ from: node, told });
  }, USE_TOLD_EVERY_MS);
  return () => clearInterval(telling);
}

/** Beats at intervals; a beat that fails is logged once until one succeeds. */
function startBeats(
  leadership: Leadership,
  log: ClusterOptions["log"],
  beforeBeat: () => void,
): { end(): Promise<void> } {
  const end = new AbortController();
  let hasFailed = false;
  const ended = (async () => {
    while (!end.signal.aborted) {
      try {
        beforeBeat();
        await leadership.beat();
        if (hasFailed) log.info({}, "the lease is reachable again");
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.warn({ reason: messageOf(error) }, "the lease cannot be reached");
        hasFailed = true;
      }
      await delay(BEAT_MS, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    async end() {
      end.abort();
      await ended;
    },
  };
}
