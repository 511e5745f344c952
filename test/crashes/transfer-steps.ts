/** Transfers on every path from their beginning to their end, with a trade of what was paid in. */
import type { Command } from "#engine/commands.ts";
import {
  ANN,
  approve,
  BOB,
  cancel,
  claim,
  comeBack,
  deposit,
  FIRST,
  OLGA,
  OPENING,
  order,
  PAUL,
  QUIN,
  record,
  reject,
  send,
  settle,
  withdrawal,
} from "../engine/transfer-scene.ts";

const STEPS: readonly Command[] = [
  deposit(700),
  record(700, OLGA, FIRST),
  deposit(5_000),
  record(5_000, OLGA, FIRST + 1),
  approve(PAUL, FIRST + 1),
  withdrawal(300),
  approve(OLGA, FIRST + 2),
  claim(OLGA, FIRST + 2),
  send(OLGA, FIRST + 2),
  settle(OLGA, FIRST + 2),
  withdrawal(2_000),
  approve(OLGA, FIRST + 3),
  approve(PAUL, FIRST + 3),
  claim(OLGA, FIRST + 3),
  claim(PAUL, FIRST + 3),
  send(PAUL, FIRST + 3),
  comeBack(QUIN, FIRST + 3),
  withdrawal(3_000),
  reject(OLGA, FIRST + 4),
  withdrawal(4_000),
  cancel(ANN, FIRST + 5),
  order(BOB, "sell", 2, 500),
  order(ANN, "buy", 2, 500),
  withdrawal(6_000),
];

export const TRANSFER_STEPS: readonly Command[] = [...OPENING, ...STEPS];
/** The first that is no part of the setting. */
export const FIRST_STEP = OPENING.length;
