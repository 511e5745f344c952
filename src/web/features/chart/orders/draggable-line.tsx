import type { Chart } from "klinecharts";
import { Check, GripVertical, Undo2, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { subtractDecimals } from "#contract/decimal.ts";
import type { Market, Order } from "#contract/types.ts";
import { orderTitle } from "../../../format/order-words.ts";
import { formatPrice } from "../../../format/money.ts";
import { useCutOff } from "../../../session/connection.ts";
import { useIsReadOnly } from "../../../session/read-only.ts";
import { useCancelOrder } from "../../../session/use-cancel-order.ts";
import { usePendingNote } from "../../../session/use-pending-note.ts";
import { classNames } from "../../../ui/class-names.ts";
import type { ChartPalette } from "../chart-palette.ts";
import { drawLine, type LinePosition, moveLine, removeLine } from "./line-overlay.ts";
import { type OrderLine, whyNotMovable } from "./order-line.ts";
import { useLineDrag } from "./use-line-drag.ts";

/** Keeps the label clear of the pane's right edge. */
const EDGE_PX = 6;

interface DraggableLineProps {
  readonly chart: Chart;
  readonly palette: ChartPalette;
  readonly market: Market;
  readonly order: Order;
  readonly line: OrderLine;
  readonly asksBeforeAmending: boolean;
}

/** An order's line and label: dragging it, or moving it by arrow keys, amends the order. */
export function DraggableLine(props: DraggableLineProps) {
  const { chart, palette, market, order, line } = props;
  const drag = useLineDrag(props);
  const isReadOnly = useIsReadOnly();
  const reason = useCutOff() ?? whyNotMovable(order);
  const label = useRef<HTMLDivElement>(null);
  const { orderId, side } = order;
  const { cancel, isCancelling } = useCancelOrder(orderId);
  const pendingNote = usePendingNote()(orderId);

  const id = `order-${orderId}`;
  const price = drag.moved ?? line.price;
  const style = {
    // For drawing only, hence a float.
    value: Number(price),
    color: side === "buy" ? palette.buy : palette.sell,
    isSolid: drag.moved !== null,
  };
  const first = useRef(style);
  useEffect(() => {
    drawLine(chart, id, first.current, (position) => placeLabel(label.current, position));
    return () => removeLine(chart, id);
  }, [chart, id]);
  const { value, color, isSolid } = style;
  useEffect(() => {
    first.current = { value, color, isSolid };
    moveLine(chart, id, first.current);
  }, [chart, id, value, color, isSolid]);

  const title = titleOf(order);
  const priceText = formatPrice(price, market.priceDecimals);
  const isFixed = reason !== null || drag.isSending || isCancelling;
  const isUndecided = drag.moved !== null && !drag.isDragging && !drag.isSending;
  return (
    <div
      ref={label}
      hidden
      data-moved={drag.moved === null ? undefined : ""}
      className={classNames(
        "figures pointer-events-auto absolute left-0 top-0 flex h-6.5 max-w-full items-center rounded-sm border bg-page text-2xs shadow-lg focus-within:z-10 hover:z-10 [&[hidden]]:hidden",
        side === "buy" ? "border-buy text-buy" : "border-sell text-sell",
        drag.isDragging && "z-10",
      )}
    >
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input cannot be dragged across the chart
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-orientation="vertical"
        aria-valuenow={Number(price)}
        aria-valuetext={priceText}
        aria-disabled={isFixed}
        title={reason ?? "Drag to change the price; by keyboard the arrow keys, then Enter."}
        {...(isFixed ? {} : dragHandlers(drag))}
        className={classNames(
          "flex h-full min-w-0 touch-none select-none items-center gap-0.5 pr-1.5 focus-visible:-outline-offset-2",
          isFixed ? "pl-1.5" : drag.isDragging ? "cursor-grabbing" : "cursor-grab",
        )}
      >
        {isFixed ? null : <GripVertical className="size-3 shrink-0 opacity-70" aria-hidden />}
        <span className="touch-none truncate">
          {pendingNote ?? (drag.moved === null ? title : `Move to ${priceText}`)}
        </span>
      </div>
      {drag.moved === null || drag.isSending ? (
        <LineButton
          name={`Cancel ${title}`}
          title="Cancel the order"
          isDisabled={isReadOnly || isCancelling || drag.isSending}
          onClick={cancel}
        >
          <X className="size-3.5" aria-hidden />
        </LineButton>
      ) : null}
      {isUndecided ? (
        <>
          <LineButton
            name={`Move ${title} to ${priceText}`}
            title="Move the order"
            onClick={drag.confirm}
          >
            <Check className="size-3.5" aria-hidden />
          </LineButton>
          <LineButton
            name={`Leave ${title} where it is`}
            title="Leave it where it is"
            onClick={drag.putBack}
          >
            <Undo2 className="size-3.5" aria-hidden />
          </LineButton>
        </>
      ) : null}
    </div>
  );
}

interface LineButtonProps {
  readonly name: string;
  readonly title: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function LineButton({ name, title, isDisabled = false, onClick, children }: LineButtonProps) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      aria-label={name}
      title={title}
      onClick={onClick}
      className="grid size-6 shrink-0 place-items-center border-l border-l-inherit hover:bg-hover focus-visible:-outline-offset-2 disabled:opacity-45"
    >
      {children}
    </button>
  );
}

function dragHandlers(drag: ReturnType<typeof useLineDrag>) {
  const { onPointerDown, onPointerMove, onPointerUp, onKeyDown, putBack } = drag;
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: putBack, onKeyDown };
}

/** The order's title, with its open quantity. */
export function titleOf(order: Order): string {
  const { quantity, filledQuantity } = order;
  const open = quantity === null ? null : subtractDecimals(quantity, filledQuantity);
  return orderTitle({ ...order, quantity: open });
}

/** Positions the label. Sets its style without React, since the line moves with every frame of the chart. */
function placeLabel(label: HTMLElement | null, position: LinePosition | null): void {
  if (label === null) return;
  // The label of a line that was moved out of sight stays, since its buttons undo the move.
  label.hidden = position === null && label.dataset["moved"] === undefined;
  if (position === null) return;
  label.style.translate = `calc(${position.width - EDGE_PX}px - 100%) calc(${position.y}px - 50%)`;
  label.style.maxWidth = `${position.width - 2 * EDGE_PX}px`;
}
