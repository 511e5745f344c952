/** Maps commands to the functions that execute them, for the types off the hot path. */
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
import {
  definePlan,
  listCoin,
  listMarket,
  updateCoin,
  updateMarket,
  updatePlan,
} from "./markets/listing.ts";
import { scheduleMarket } from "./markets/scheduling.ts";
import { continueUncrossings, setMarketStatus } from "./markets/market-states.ts";
import { amendOrder } from "./orders/amending.ts";
import { adoptRules } from "./orders/adopted-rules.ts";
import { cancelAllOrders, setCancelTimer } from "./orders/cancelling.ts";
import { placeOrderList } from "./orders/placing-lists.ts";
import { replaceOrder } from "./orders/placing.ts";
import { NO_LIMIT, limitWork } from "./orders/work-limit.ts";
import type { Outcome } from "./reject-reasons.ts";
import type { EngineState } from "./state.ts";
import { forfeitDust } from "./transfers/dust.ts";
import {
  claimPayment,
  returnWithdrawal,
  sendWithdrawal,
  settleWithdrawal,
} from "./transfers/payments.ts";
import {
  approveTransfer,
  cancelTransfer,
  recordDeposit,
  rejectTransfer,
  requestDeposit,
  requestWithdrawal,
} from "./transfers/transfers.ts";
import { validateTimeLimit } from "./time/time-limits.ts";

/** engine.ts executes the two excluded types itself. */
export type DispatchedCommand = Exclude<Command, { type: "placeOrder" | "cancelOrder" }>;
/** Commands that repeat an order's outcome even if late, and check the time limit afterwards. */
type RepeatableType = "placeOrderList" | "replaceOrder";
type RequestType = Exclude<
  Extract<DispatchedCommand, TimeLimited>["type"],
  RepeatableType | "amendOrder"
>;

type Handlers<Type extends DispatchedCommand["type"]> = {
  readonly [Each in Type]: (state: EngineState, command: CommandOf<Each>) => Outcome;
};

/** Commands with a time limit; refused if late. */
const REQUESTS: Handlers<RequestType> = {
  approveAdjustment,
  approveTransfer,
  assignPlan,
  cancelAllOrders,
  cancelTransfer,
  choosePlan,
  claimPayment,
  definePlan,
  forfeitDust,
  listCoin,
  listMarket,
  proposeAdjustment,
  recordDeposit,
  rejectAdjustment,
  rejectTransfer,
  requestDeposit,
  requestWithdrawal,
  returnWithdrawal,
  scheduleMarket,
  sendWithdrawal,
  setAccountFreeze,
  setCancelTimer,
  setMarketStatus,
  settleWithdrawal,
  takePracticeFunds,
  updateCoin,
  updateMarket,
  updatePlan,
};

const OTHERS: Handlers<Exclude<DispatchedCommand["type"], RequestType | "amendOrder">> = {
  adoptRules,
  advanceTime: ({ events }) => {
    events.rare({ type: "timeAdvanced" });
    return "accepted";
  },
  fundParticipant,
  limitBalances,
  limitWork,
  openAccount,
  placeOrderList,
  reclaimPracticeFunds,
  replaceOrder,
  startSimulation,
};

export function dispatch(state: EngineState, command: DispatchedCommand): Outcome {
  // Market makers amend constantly: this avoids the table look-ups.
  if (command.type === "amendOrder") {
    return validateTimeLimit(command.validUntilMs, state.nowMs) ?? amendOrder(state, command);
  }
  const { type } = command;
  // An auction in progress relies on no account exceeding its limit before it ends.
  if (CREDITING_COMMANDS.has(type)) continueUncrossings(state, NO_LIMIT);
  if (isKeyOf(REQUESTS, type)) {
    const { validUntilMs } = command as TimeLimited;
    return validateTimeLimit(validUntilMs, state.nowMs) ?? REQUESTS[type](state, command as never);
  }
  // Other types come from a later version's journal or from an untyped caller.
  return isKeyOf(OTHERS, type) ? OTHERS[type](state, command as never) : "invalidCommand";
}

/** Commands that may take accounts above their balance limit, or further above it. */
const CREDITING_COMMANDS: ReadonlySet<DispatchedCommand["type"]> = new Set([
  "takePracticeFunds",
  "fundParticipant",
  "approveAdjustment",
  "recordDeposit",
  "approveTransfer",
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
