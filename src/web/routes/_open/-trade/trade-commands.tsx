import { useRouteContext } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import { CANDLE_INTERVALS, type Market } from "#contract/types.ts";
import { intervalName } from "../../../features/chart/intervals.ts";
import {
  DEFAULT_PREFERENCES,
  savePreferences,
  usePreferences,
} from "../../../features/chart/preferences.ts";
import { useTicketDispatch } from "../../../features/order-ticket/ticket-provider.tsx";
import type { CancelScope } from "../../../features/orders-panel/cancel-scope.ts";
import { type Command, useOfferedCommands } from "../../../keyboard/commands.ts";
import { useIsReadOnly } from "../../../session/read-only.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../../session/use-is-signed-in.ts";
import { wantAlert } from "../../../session/wanted-alert.ts";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { chooseLayout, hasLayouts, LAYOUT_LABELS, LAYOUTS, resetLayout } from "./layouts.ts";

const CancelAllDialog = lazyComponent(
  () => import("../../../features/orders-panel/cancel-all-dialog.tsx"),
);

interface TradeCommandsProps {
  readonly market: Market;
  /** Shows the ticket; on a phone it opens the sheet. */
  readonly onTicket: () => void;
}

/** The command palette's commands on the trading screen. Loaded lazily, hence the default export. */
export default function TradeCommands({ market, onTicket }: TradeCommandsProps) {
  const dispatch = useTicketDispatch();
  const isSignedIn = useIsSignedIn();
  const isReadOnly = useIsReadOnly();
  const userId = useRouteContext({ from: "__root__", select: ({ userId }) => userId });
  const chart = usePreferences(userId) ?? DEFAULT_PREFERENCES;
  const [cancelling, setCancelling] = useState<CancelScope | null>(null);
  const { base, symbol } = market;
  const commands = useMemo((): readonly Command[] => {
    const side = (which: "buy" | "sell", title: string): Command => ({
      id: which,
      group: "Trade",
      title: `${title} ${base}`,
      shortcut: which,
      keywords: "order ticket",
      run: () => {
        dispatch({ type: "sideChosen", side: which });
        onTicket();
      },
    });
    const cancels: Command[] = [
      {
        id: "cancelMarket",
        group: "Trade",
        title: `Cancel all orders in ${symbol}`,
        run: () => setCancelling({ market: symbol }),
      },
      {
        id: "cancelAll",
        group: "Trade",
        title: "Cancel all orders",
        keywords: "every market",
        run: () => setCancelling({}),
      },
    ];
    const alert: Command = {
      id: "alert",
      group: "Trade",
      title: `Set a price alert for ${symbol}`,
      keywords: "notification bell",
      run: () => wantAlert(symbol),
    };
    return [
      side("buy", "Buy"),
      side("sell", "Sell"),
      ...(isSignedIn && !isReadOnly ? [...cancels, alert] : []),
      ...(hasLayouts() ? layoutCommands() : []),
      ...CANDLE_INTERVALS.filter((interval) => interval !== chart.interval).map((interval) => ({
        id: `interval ${interval}`,
        group: "Chart",
        title: `Interval: ${intervalName(interval)}`,
        keywords: `${interval} candles timeframe`,
        run: () => savePreferences(userId, { ...chart, interval }),
      })),
    ];
  }, [dispatch, onTicket, isSignedIn, isReadOnly, base, symbol, chart, userId]);
  useOfferedCommands(commands);
  if (cancelling === null) return null;
  return (
    <PanelBoundary className="h-auto">
      <CancelDialog scope={cancelling} onClose={() => setCancelling(null)} />
    </PanelBoundary>
  );
}

function layoutCommands(): Command[] {
  return [
    ...LAYOUTS.map((layout) => ({
      id: `layout ${layout}`,
      group: "Layout",
      title: `Layout: ${LAYOUT_LABELS[layout]}`,
      keywords: "workspace panels",
      run: () => chooseLayout(layout),
    })),
    { id: "resetLayout", group: "Layout", title: "Reset panel sizes", run: resetLayout },
  ];
}

interface CancelDialogProps {
  readonly scope: CancelScope;
  readonly onClose: () => void;
}

function CancelDialog({ scope, onClose }: CancelDialogProps) {
  const { data: orders } = useFrameQuery(functions.orders.open, { ...scope });
  return orders === undefined ? null : (
    <CancelAllDialog scope={scope} orders={orders} onClose={onClose} />
  );
}
