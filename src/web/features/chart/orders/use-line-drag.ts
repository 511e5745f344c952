/** Moves an order's line by pointer or arrow keys; then confirms, sends or undoes the move. */
import type { Chart } from "klinecharts";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { compareDecimals } from "#contract/decimal.ts";
import type { Decimal, Market, Order } from "#contract/types.ts";
import { orderTitle } from "../../../format/order-words.ts";
import { errorSentence } from "../../../session/error-sentence.ts";
import { useAmendOrder } from "../../../session/use-amend-order.ts";
import { toastError, toastSuccess } from "../../../ui/toast.ts";
import { CANDLE_PANE } from "../panes.ts";
import { priceAtPixel } from "../price-at-pixel.ts";
import type { OrderLine } from "./order-line.ts";
import { movedPrice } from "./price-grid.ts";

const PAGE_TICKS = 100;
/** A pointer that moves less is not a drag. */
const DRAG_PX_MIN = 3;

interface LineDragOptions {
  readonly chart: Chart;
  readonly market: Market;
  readonly order: Order;
  readonly line: OrderLine;
  readonly asksBeforeAmending: boolean;
}

export function useLineDrag(options: LineDragOptions) {
  const { chart, market, order, line, asksBeforeAmending } = options;
  const amend = useAmendOrder();
  const [moved, setMoved] = useState<Decimal | null>(null);
  const [grip, setGrip] = useState<{ readonly startY: number; readonly top: number } | null>(null);

  const putBack = () => {
    setMoved(null);
    setGrip(null);
  };
  const send = (price: Decimal) => {
    amend.mutate(
      { order, change: { [line.field]: price } },
      {
        onSuccess: ({ order: changed }) => toastSuccess("Order changed", orderTitle(changed)),
        onError: (error) => toastError("The order was not changed", errorSentence(error)),
        onSettled: putBack,
      },
    );
  };
  const confirm = () => {
    if (moved === null || compareDecimals(moved, line.price) === 0) putBack();
    else send(moved);
  };
  const drop = () => {
    if (grip === null) return;
    setGrip(null);
    if (!asksBeforeAmending || moved === null) confirm();
  };

  return {
    /** The price to which the line was moved; null while it is at the order's own price. */
    moved,
    isDragging: grip !== null,
    isSending: amend.isPending,
    confirm,
    putBack,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const pane = chart.getDom(CANDLE_PANE, "main");
      if (event.button !== 0 || pane === null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setGrip({ startY: event.clientY, top: pane.getBoundingClientRect().top });
    },
    onPointerMove: ({ clientY }: PointerEvent<HTMLElement>) => {
      if (grip === null) return;
      if (moved === null && Math.abs(clientY - grip.startY) < DRAG_PX_MIN) return;
      const price = priceAtPixel(chart, clientY - grip.top, market);
      if (price !== null) setMoved(price);
    },
    onPointerUp: drop,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const ticks = KEY_TICKS[event.key];
      if (ticks !== undefined) setMoved(movedPrice(moved ?? line.price, ticks, market));
      else if (event.key === "Enter") confirm();
      else if (event.key === "Escape" && moved !== null) putBack();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

const KEY_TICKS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowDown: -1,
  PageUp: PAGE_TICKS,
  PageDown: -PAGE_TICKS,
};
