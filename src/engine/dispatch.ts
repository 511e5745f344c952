/** Which function carries out which command, of those that come one by one and not by the million. */
import {
  fundParticipant,
  limitBalances,
  openAccount,
  reclaimPracticeFunds,
  setAccountFreeze,
  takePracticeFunds,
} from "./accounts/account-keeping.ts";
import { approveAdjustment, proposeAdjustment, rejectAdjustment } from "./accounts/adjustments.ts";
import { assignPlan, choosePlan } from "./accounts/plan-changes.ts";
import type { Command, CommandOf, TimeLimited } from "./commands.ts";
import { definePlan, listCoin, listMarket, updateMarket, updatePlan } from "./markets/listing.ts";
import { continueUncrossings, setMarketStatus } from "./markets/market-states.ts";
import { amendOrder } from "./orders/amending.ts";
import { cancelAllOrders, setCancelTimer } from "./orders/cancelling.ts";
import { placeOrderList } from "./orders/placing-lists.ts";
import { replaceOrder } from "./orders/placing.ts";
import { NO_LIMIT, limitWork } from "./orders/work-limit.ts";
import type { Outcome } from "./reject-reasons.ts";
import type { EngineState } from "./state.ts";
import { refuseLate } from "./time/time-limits.ts";

/** The other two are engine.ts's own. */
export type DispatchedCommand = Exclude<Command, { type: "placeOrder" | "cancelOrder" }>;
/** They answer a repeat of an order even if it is late, and look at the time after that. */
type RepeatableType = "placeOrderList" | "replaceOrder";
type RequestType = Exclude<
  Extract<DispatchedCommand, TimeLimited>["type"],
  RepeatableType | "amendOrder"
>;

type Handlers<Type extends DispatchedCommand["type"]> = {
  readonly [Each in Type]: (state: EngineState, command: CommandOf<Each>) => Outcome;
};

/** What somebody asks for; refused if it comes late. */
const REQUESTS: Handlers<RequestType> = {
  approveAdjustment,
  assignPlan,
  cancelAllOrders,
  choosePlan,
  proposeAdjustment,
  rejectAdjustment,
  setAccountFreeze,
  setCancelTimer,
  setMarketStatus,
  takePracticeFunds,
};

const OTHERS: Handlers<Exclude<DispatchedCommand["type"], RequestType | "amendOrder">> = {
  advanceTime: ({ events }) => {
    events.rare({ type: "timeAdvanced" });
    return "accepted";
  },
  definePlan,
  fundParticipant,
  limitBalances,
  limitWork,
  listCoin,
  listMarket,
  openAccount,
  placeOrderList,
  reclaimPracticeFunds,
  replaceOrder,
  startSimulation,
  updateMarket,
  updatePlan,
};

export function dispatch(state: EngineState, command: DispatchedCommand): Outcome {
  // Market makers amend all day: without a look into the tables.
  if (command.type === "amendOrder") {
    return refuseLate(command, state.nowMs) ?? amendOrder(state, command);
  }
  const { type } = command;
  // An auction that is under way has to know that nobody can come to own too much by it.
  if (BRINGS_MONEY.has(type)) continueUncrossings(state, NO_LIMIT);
  if (isKeyOf(REQUESTS, type)) {
    return (
      refuseLate(command as TimeLimited, state.nowMs) ?? REQUESTS[type](state, command as never)
    );
  }
  // Any other type is of a journal of a later version, or of a caller without types.
  return isKeyOf(OTHERS, type) ? OTHERS[type](state, command as never) : "invalidCommand";
}

/** By which accounts may come to own more than the limit, or more of it. */
const BRINGS_MONEY: ReadonlySet<DispatchedCommand["type"]> = new Set([
  "takePracticeFunds",
  "fundParticipant",
  "approveAdjustment",
  "limitBalances",
]);

function isKeyOf<Table extends object>(table: Table, key: PropertyKey): key is keyof Table {
  return Object.hasOwn(table, key);
}

function startSimulation(state: EngineState, { seed }: CommandOf<"startSimulation">): Outcome {
  if (!Number.isSafeInteger(seed)) return "invalidCommand";
  if (state.simulationStarted) return "simulationAlreadyStarted";
  state.simulationStarted = true;
  state.events.rare({ type: "simulationStarted", seed });
  return "accepted";
}
