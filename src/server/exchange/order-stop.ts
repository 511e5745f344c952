/**
 * Wraps the exchange to refuse new orders while its disk is nearly full. Refused commands are not
 * sequenced; cancels, timers and administrators' commands continue.
 */
import type { Command } from "#engine/commands.ts";
import type { Exchange } from "./exchange.ts";
import { OrdersStoppedError } from "./exchange-errors.ts";

/**
 * Whether a command places orders or makes them larger. A replacement is refused with its cancel. Every
 * command is listed, so that a new kind of order is not accepted by accident.
 */
const GROWS_ORDERS: Readonly<Record<Command["type"], boolean>> = {
  placeOrder: true,
  placeOrderList: true,
  amendOrder: true,
  replaceOrder: true,
  cancelOrder: false,
  cancelAllOrders: false,
  setCancelTimer: false,
  takePracticeFunds: false,
  choosePlan: false,
  assignPlan: false,
  proposeAdjustment: false,
  approveAdjustment: false,
  rejectAdjustment: false,
  requestDeposit: false,
  requestWithdrawal: false,
  cancelTransfer: false,
  recordDeposit: false,
  approveTransfer: false,
  rejectTransfer: false,
  claimPayment: false,
  sendWithdrawal: false,
  settleWithdrawal: false,
  returnWithdrawal: false,
  forfeitDust: false,
  setAccountFreeze: false,
  setMarketStatus: false,
  scheduleMarket: false,
  listCoin: false,
  listMarket: false,
  definePlan: false,
  updatePlan: false,
  updateCoin: false,
  updateMarket: false,
  openAccount: false,
  reclaimPracticeFunds: false,
  fundParticipant: false,
  startSimulation: false,
  limitWork: false,
  limitBalances: false,
  adoptRules: false,
  advanceTime: false,
};

/** @param isStopped whether orders are refused at this moment */
export function stoppingOrders(exchange: Exchange, isStopped: () => boolean): Exchange {
  return {
    ...exchange,
    submit(command, idempotencyKey) {
      if (isStopped() && GROWS_ORDERS[command.type]) {
        return Promise.reject(new OrdersStoppedError());
      }
      return exchange.submit(command, idempotencyKey);
    },
    async refusalOf(order) {
      if (isStopped()) throw new OrdersStoppedError();
      return exchange.refusalOf(order);
    },
  };
}
