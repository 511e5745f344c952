/**
 * Runs public functions for the reactive protocol: finds them by path, checks their arguments, notes
 * what a query reads, and turns refusals into error data. What was not expected is logged here and
 * answered without details.
 */
import type { Services } from "../context.ts";
import { ExchangeBusyError, ExchangeStoppedError } from "../exchange/exchange-errors.ts";
import { CursorError } from "../history/cursor.ts";
import { OutcomeUnknownError } from "../reactive/executor.ts";
import type {
  Executor,
  FunctionCall,
  FunctionResult,
  Identity,
  QueryResult,
} from "../reactive/executor.ts";
import { argumentError } from "./argument-errors.ts";
import type { FunctionDefinition, QueryContext } from "./define.ts";
import { definitions } from "./definitions.ts";
import { FunctionError } from "./function-error.ts";
import { invalidArgument, quoted, unauthorized } from "./refusals.ts";

const INTERNAL_ERROR = "Internal error";

export function createExecutor(services: Services): Executor {
  return {
    query: (call) => runQuery(services, call),
    mutation: (call, idempotencyKey) =>
      answer(services, call, async () => {
        const definition = find(call, "mutation");
        const { identity } = call;
        if (identity?.readOnly === true) {
          const message = "Whoever looks through a user's eyes may change nothing.";
          throw new FunctionError({ code: "forbidden", message });
        }
        const context = { services: whileLive(services, identity), identity, idempotencyKey };
        return definition.handler(context, argumentsOf(definition, call));
      }),
    action: (call) =>
      answer(services, call, async () => {
        const definition = find(call, "action");
        const { identity } = call;
        return definition.handler({ services, identity }, argumentsOf(definition, call));
      }),
    authenticate: (token) => services.accounts.verifyBackendToken(token),
    isLive: (identity) => services.accounts.isSessionLive(identity.sessionId),
  };
}

/**
 * The same services, of which the exchange takes nothing more once the caller's session has ended:
 * a mutation may have waited for something before it submits.
 */
function whileLive(services: Services, identity: Identity | null): Services {
  if (identity === null) return services;
  const { exchange, accounts } = services;
  return {
    ...services,
    exchange: {
      ...exchange,
      async submit(command, idempotencyKey) {
        if (!accounts.isSessionLive(identity.sessionId)) throw unauthorized();
        return exchange.submit(command, idempotencyKey);
      },
    },
  };
}

function runQuery(services: Services, call: FunctionCall): QueryResult {
  const topics = new Set<string>();
  let readsIdentity = false;
  const context: QueryContext = {
    services,
    get identity() {
      readsIdentity = true;
      return call.identity;
    },
    dependsOn: (topic) => {
      topics.add(topic);
    },
  };
  let result: FunctionResult;
  try {
    const definition = find(call, "query");
    const value = definition.handler(context, argumentsOf(definition, call));
    result = { status: "success", value };
  } catch (error) {
    result = failure(services, call, error);
  }
  return { result, topics, readsIdentity };
}

async function answer(
  services: Services,
  call: FunctionCall,
  run: () => Promise<unknown>,
): Promise<FunctionResult> {
  try {
    return { status: "success", value: await run() };
  } catch (error) {
    // Nobody knows whether the command took effect: the client must ask again, not be told "no".
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
  if (error instanceof CursorError) return refusal(invalidArgument("cursor", error.message));
  services.log.error({ err: error, path: call.path }, "a public function failed");
  return { status: "error", message: INTERNAL_ERROR };
}

function refusal(error: FunctionError): FunctionResult {
  return { status: "error", message: error.message, data: error.data };
}

/** @throws FunctionError where there is no such function, or one of another kind */
function find<Kind extends FunctionDefinition["kind"]>(
  call: FunctionCall,
  kind: Kind,
): Extract<FunctionDefinition, { kind: Kind }> {
  const definition = definitions.get(call.path);
  if (definition === undefined) {
    const message = `There is no function ${quoted(call.path)}.`;
    throw new FunctionError({ code: "notFound", message });
  }
  if (definition.kind !== kind) {
    const message = `${call.path} is a ${definition.kind}, not a ${kind}.`;
    throw new FunctionError({ code: "invalidArgument", message });
  }
  return definition as Extract<FunctionDefinition, { kind: Kind }>;
}

function argumentsOf(definition: FunctionDefinition, call: FunctionCall): unknown {
  const parsed = definition.args.safeParse(call.args);
  if (!parsed.success) throw argumentError(parsed.error, call.args);
  return parsed.data;
}
