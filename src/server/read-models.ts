/**
 * All read models of the process as one unit, which a snapshot stores with the engine's state and a
 * start restores.
 */
import type { ExchangeEvent } from "#engine/events.ts";
import type { StateReader } from "#engine/state-reader.ts";
import { ListedCatalogue } from "./catalogue/install-catalogue.ts";
import type { SnapshotReadModels } from "./exchange/snapshots/snapshot-messages.ts";
import { HistoryFold } from "./history/fold.ts";
import type { HistoryState } from "./history/history.ts";
import { simulatedCandles } from "./simulator/candle-history.ts";
import { ParticipantOrders } from "./simulator/participant-orders.ts";
import { Views, type ViewsState } from "./views/views.ts";

/**
 * Incremented with every change of a read model's state or of how it is derived. The test of the
 * golden snapshot fails if the increment was forgotten.
 */
export const READ_MODELS_VERSION = 10;

export interface ReadModelsState {
  readonly views: ViewsState;
  readonly listed: ReturnType<ListedCatalogue["state"]>;
  readonly participants: ReturnType<ParticipantOrders["state"]>;
  readonly history: HistoryState;
}

/** Restores the read models of the running exchange from a snapshot. */
export function restoreReadModels(
  kept: unknown,
  models: {
    readonly views: Pick<Views, "restore">;
    readonly listed: Pick<ListedCatalogue, "restore">;
    readonly simulator: Pick<ParticipantOrders, "restore">;
    readonly history: { restore(state: HistoryState): void };
  },
): void {
  const state = kept as ReadModelsState;
  models.views.restore(state.views);
  models.listed.restore(state.listed);
  models.simulator.restore(state.participants);
  models.history.restore(state.history);
}

/** The read models of a process that follows the exchange to take snapshots. */
export function createReadModels(): SnapshotReadModels {
  const views = new Views({ simulatedCandles });
  const listed = new ListedCatalogue();
  const participants = new ParticipantOrders();
  const fold = new HistoryFold();
  let end = { sequence: 0, time: 0, originTime: 0 };
  return {
    fold(events: readonly ExchangeEvent[]) {
      views.fold(events);
      listed.fold(events);
      participants.fold(events);
      for (const event of events) fold.fold(event, undefined);
      const last = events.at(-1);
      if (last === undefined) return;
      const originTime = end.sequence === 0 ? events[0].timestampMs : end.originTime;
      end = { sequence: last.sequence, time: last.timestampMs, originTime };
    },
    state: (): ReadModelsState => ({
      views: views.state(),
      listed: listed.state(),
      participants: participants.state(),
      history: { end, fold: fold.state() },
    }),
    restore(kept) {
      const state = kept as ReadModelsState;
      views.restore(state.views);
      listed.restore(state.listed);
      participants.restore(state.participants);
      fold.restore(state.history.fold);
      end = state.history.end;
    },
    contradictionWith: (read) => contradiction(views, read),
  };
}

/** How the folded views differ from the engine that produced the events; undefined if they agree. */
function contradiction(
  { accounts, books, catalogue }: Views,
  read: StateReader,
): string | undefined {
  for (let account = 1; account < read.accountEnd; account++) {
    for (let assetId = 1; assetId <= read.assetCount; assetId++) {
      const { available, held } = read.exactBalance(account, assetId);
      if (accounts.exactAvailable(account, assetId) === available) {
        if (BigInt(accounts.held(account, assetId)) === held) continue;
      }
      return `the views show other balances of account ${account} in asset ${assetId}`;
    }
  }
  for (const { marketId } of catalogue.markets()) {
    for (const side of ["buy", "sell"] as const) {
      const shown = books.levels(marketId, side, Infinity);
      const actual = read.bookLevels(marketId, side);
      // A level may show less than its total quantity, never more.
      const isSame = shown.every(
        ({ priceTicks, quantityLots }, index) =>
          actual[index]?.priceTicks === priceTicks && actual[index].quantityLots >= quantityLots,
      );
      if (!isSame || shown.length !== actual.length)
        return `the views show another book ${marketId}`;
    }
  }
  return undefined;
}
