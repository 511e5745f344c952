/**
 * Executes public functions for the reactive protocol: finds them by path, validates their
 * arguments, records the dependencies of a query, and turns refusals into error data. Unexpected errors
 * are logged here and answered without details.
 */
import { z } from "zod";
import type { FunctionKind } from "#contract/declaration.ts";
import { isFurtherPart } from "../exchange/cancel-all.ts";
import type { Services } from "./services.ts";
import {
  ExchangeBusyError,
  ExchangeStoppedError,
  OrdersStoppedError,
} from "../exchange/exchange-errors.ts";
import { HistoryUnavailableError } from "../history/history.ts";
import { CursorError } from "../database/cursor.ts";
import { CallerLeftError, FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import { isPublic } from "../settings/config.ts";
import { BackendTokenError } from "../accounts/sessions/backend-token.ts";
import { AuthenticationUnavailableError, OutcomeUnknownError } from "../reactive/executor.ts";
import type {
  ActionCall,
  Executor,
  FunctionCall,
  FunctionResult,
  Identity,
  QueryCall,
  QueryResult,
} from "../reactive/executor.ts";
import { parseArguments } from "./argument-errors.ts";
import { requireAdmin, requireWriter } from "./caller.ts";
import { definitions, type FunctionDefinition } from "./definitions.ts";
import { FunctionError } from "./function-error.ts";
import type { Contexts, QueryContext } from "./handlers.ts";
import { LoadingError } from "./loading.ts";
import { invalidArgument, quoted, unauthorized } from "./refusals.ts";
import { stateVersion } from "./state-version.ts";

const INTERNAL_ERROR = "Internal error";

/**
 * Actions read the history, which may take long: clients take turns, over all interfaces, and users
 * have two of three.
 */
const ACTION_QUEUE = {
  what: "requests for history",
  underWay: 8,
  underWayPerClient: 2,
  waiting: 1_000,
  waitingPerClient: 64,
} as const;
/** Actions that read all of a user's history leave places for others. */
const HEAVY_ACTION_QUEUE = {
  what: "requests for all of the history",
  underWay: 2,
  underWayPerClient: 1,
  waiting: 500,
  waitingPerClient: 16,
} as const;
/** Unless the exchange is flooded, a client's queue is served within about this time. */
const RETRY_AFTER_MS = 1_000;

export function createExecutor(services: Services): Executor {
  const actions = { light: new FairQueue(ACTION_QUEUE), heavy: new FairQueue(HEAVY_ACTION_QUEUE) };
  return {
    lookUp(kind, path, identity) {
      try {
        const { limits, isForAdmins } = find({ path }, kind);
        if (kind === "mutation") requireWriter(identity);
        if (isForAdmins) requireAdmin({ services, identity });
        return limits;
      } catch (error) {
        if (error instanceof FunctionError) return { refusal: refusal(error) };
        throw error;
      }
    },
    leavesJournal: (path) => {
      const args = definitions.get(path)?.args;
      return args instanceof z.ZodObject && "paginationOpts" in args.shape;
    },
    query: (call) => runQuery(services, call),
    mutation: (call, idempotencyKey) =>
      answer(services, call, async () => {
        const definition = find(call, "mutation");
        const { identity } = call;
        requireWriter(identity);
        const context = {
          services: onBehalfOf(services, identity),
          identity,
          idempotencyKey,
        };
        return definition.handler(context, admittedArguments(definition, context, call));
      }),
    action: (call: ActionCall) =>
      answer(services, call, async () => {
        const definition = find(call, "action");
        const { identity, client, signal } = call;
        const context = { services, identity };
        // A call that will be refused anyway need not wait for a turn.
        const args = admittedArguments(definition, context, call);
        const { work } = definition.limits;
        const run = () => definition.handler(context, args);
        const preference = identity === null ? "ordinary" : "preferred";
        return actions[work].run(client, run, signal, preference);
      }),
    unsettled: () => services.exchange.unsettled(),
    version: () => stateVersion(services.views),
    async authenticate(token) {
      try {
        const identity = await services.accounts.verifyBackendToken(token);
        // Needed in memory before a page is rendered, because queries do not wait. If loading fails, these
        // queries report that they are loading, as queries that only the live page needs do at first.
        const { notices, watchlists } = services;
        const { subject } = identity;
        await Promise.allSettled([watchlists.load(subject), notices.states.load(subject)]);
        return identity;
      } catch (error) {
        if (error instanceof BackendTokenError) throw error;
        throw new AuthenticationUnavailableError("sign-in cannot be checked", { cause: error });
      }
    },
    isLive: (identity) => services.accounts.isSessionLive(identity.sessionId),
  };
}

/**
 * The services as one caller may use them: commands are limited to the rate of the caller's plan
 * and refused once the caller's session has ended, because a mutation may have waited before it
 * submits. A request that has begun with several commands counts as one: to cancel all orders is
 * completed, and further deposits of a statement are recorded while the session lasts.
 */
function onBehalfOf(services: Services, identity: Identity | null): Services {
  if (identity === null) return services;
  const { exchange, accounts, commandRates } = services;
  let isRecording = false;
  return {
    ...services,
    exchange: {
      ...exchange,
      async submit(command, idempotencyKey) {
        if (!isFurtherPart(command)) {
          if (!accounts.isSessionLive(identity.sessionId)) throw unauthorized();
          if (!isRecording) commandRates.admit(identity.subject, command);
          isRecording = command.type === "recordDeposit";
        }
        return exchange.submit(command, idempotencyKey);
      },
    },
  };
}

function runQuery(services: Services, call: QueryCall): QueryResult {
  const topics = new Set<string>();
  let readsIdentity = false;
  let journal: string | undefined;
  const context: QueryContext = {
    services,
    get identity() {
      readsIdentity = true;
      return call.identity;
    },
    dependsOn: (topic) => {
      topics.add(topic);
    },
    journal: {
      before: call.journal,
      leave: (text) => {
        journal = text;
      },
    },
  };
  let result: QueryResult["result"];
  try {
    const definition = find(call, "query");
    const value = definition.handler(context, admittedArguments(definition, context, call));
    result = { status: "success", value };
  } catch (error) {
    result = error instanceof LoadingError ? error.loading : failure(services, call, error);
  }
  return { result, topics, readsIdentity, journal };
}

async function answer(
  services: Services,
  call: FunctionCall,
  run: () => Promise<unknown>,
): Promise<FunctionResult> {
  try {
    return { status: "success", value: await run() };
  } catch (error) {
    // Whether the command took effect is unknown: the client must query again instead of being told
    // that it failed.
    if (error instanceof ExchangeStoppedError) throw new OutcomeUnknownError(error.message);
    return failure(services, call, error);
  }
}

function failure(services: Services, call: FunctionCall, error: unknown): FunctionResult {
  if (error instanceof FunctionError) {
    return refusal(error);
  }
  if (error instanceof ExchangeBusyError) {
    const message = "The exchange is busy; try again in a moment.";
    return { status: "error", message, data: { code: "unavailable", message } };
  }
  if (error instanceof OrdersStoppedError) {
    const message = "The exchange takes no new orders at the moment. You can cancel orders.";
    return { status: "error", message, data: { code: "unavailable", message } };
  }
  if (error instanceof HistoryUnavailableError) {
    const { message } = error;
    return { status: "error", message, data: { code: "unavailable", message } };
  }
  if (error instanceof QueueFullError) return refusal(queueFull(error));
  if (error instanceof CallerLeftError) return { status: "error", message: error.message };
  if (error instanceof CursorError) return refusal(invalidArgument("cursor", error.message));
  const { path, request } = call;
  services.log.error({ err: error, path, request }, "a public function failed");
  if (isPublic(services.config)) return { status: "error", message: INTERNAL_ERROR };
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: "error", message: INTERNAL_ERROR, logLines: [`[ERROR] ${reason}`] };
}

function queueFull({ scope, message }: QueueFullError): FunctionError {
  return new FunctionError({
    code: scope === "client" ? "tooManyRequests" : "unavailable",
    message: `${message} Try again in a moment.`,
    retryAfterMs: RETRY_AFTER_MS,
  });
}

function refusal(error: FunctionError): FunctionResult & { status: "error" } {
  return { status: "error", message: error.message, data: error.data };
}

const KIND_TEXTS = { query: "a query", mutation: "a mutation", action: "an action" } as const;

/** @throws FunctionError if no function of this kind has the path */
function find<Kind extends FunctionKind>(
  call: Pick<FunctionCall, "path">,
  kind: Kind,
): FunctionDefinition<Kind> {
  const definition = definitions.get(call.path);
  if (definition === undefined) {
    const message = `There is no function ${quoted(call.path)}.`;
    throw new FunctionError({ code: "notFound", message });
  }
  if (definition.kind !== kind) {
    const message = `${call.path} is ${KIND_TEXTS[definition.kind]}, not ${KIND_TEXTS[kind]}.`;
    throw new FunctionError({ code: "invalidArgument", message });
  }
  return definition as FunctionDefinition<Kind>;
}

/**
 * The arguments of a caller who may call the function: other callers learn nothing about them.
 * @throws FunctionError
 */
function admittedArguments<Kind extends FunctionKind>(
  { isForAdmins, args }: FunctionDefinition<Kind>,
  context: Contexts[Kind],
  call: FunctionCall,
): unknown {
  if (isForAdmins) requireAdmin(context);
  return parseArguments(args, call.args);
}
