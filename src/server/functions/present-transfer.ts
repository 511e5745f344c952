import { formatDecimal } from "#contract/decimal.ts";
import type { ReviewedTransfer, Transfer } from "#contract/transfers.ts";
import { hasFailed } from "#engine/transfers/transfer-ends.ts";
import { MANUAL_TRANSFERS } from "../transfers/manual-transfers.ts";
import type { TransferView } from "../views/transfers.ts";
import type { Views } from "../views/views.ts";

export function presentTransfer(views: Views, view: TransferView): Transfer {
  const { account: _, kind, network, status, steps } = view;
  const { definition } = views.catalogue.coin(view.assetId);
  const { scale, symbol, transfers } = definition;
  const last = steps.at(-1);
  const way = transfers?.networks.find(({ code }) => code === network);
  const deposit = kind === "deposit" ? MANUAL_TRANSFERS.instructionsFor(view, way) : undefined;
  return {
    transferId: view.transferId,
    kind,
    status,
    coin: symbol,
    amount: formatDecimal(view.amount, scale),
    fee: formatDecimal(view.fee, scale),
    network,
    address: view.address || null,
    memo: view.memo || null,
    reference: deposit?.reference ?? null,
    instructions: status === "requested" ? (deposit?.text ?? null) : null,
    receipt: view.receipt || null,
    expiresAt: view.expiresAtMs === 0 ? null : view.expiresAtMs,
    requestedAt: view.requestedAtMs,
    changedAt: last?.atMs ?? view.requestedAtMs,
    reason: hasFailed(status) ? (last?.decision?.reason ?? null) : null,
  };
}

/** A transfer as administrators see it. */
export function presentReviewed(views: Views, view: TransferView): ReviewedTransfer {
  return {
    ...presentTransfer(views, view),
    userId: views.accounts.account(view.account)?.userId ?? "",
    steps: view.steps.map(({ atMs, decision, status }) => ({
      status,
      time: atMs,
      byAdmin: decision?.byAdmin ?? null,
      reason: decision?.reason ?? null,
    })),
    firstBy: view.firstBy || null,
    payers: [...view.payers],
  };
}
