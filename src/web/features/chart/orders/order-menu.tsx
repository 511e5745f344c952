import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { compareDecimals, isDecimal } from "#contract/decimal.ts";
import { functions } from "#contract/functions.ts";
import type { Decimal, Market, Side, Ticker } from "#contract/types.ts";
import { formatPrice } from "../../../format/money.ts";
import { NumberInput } from "../../../format/number-input.tsx";
import { useIsReadOnly } from "../../../session/read-only.ts";
import { useRequests } from "../../../session/requests.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../../session/use-is-signed-in.ts";
import { classNames } from "../../../ui/class-names.ts";
import { toastSuccess } from "../../../ui/toast.ts";

/** The order to start in the ticket at a price of the chart. */
export interface OrderStart {
  readonly kind: "limit" | "stop" | "takeProfit";
  readonly side: Side;
  readonly price: Decimal;
}

/** Where the menu was opened, relative to the chart's area; null if opened by keyboard. */
export interface OrderMenuAnchor {
  readonly x: number;
  readonly y: number;
  readonly price: Decimal;
}

interface OrderMenuProps {
  readonly market: Market;
  readonly anchor: OrderMenuAnchor;
  readonly onStart: (start: OrderStart) => void;
  readonly onClose: () => void;
}

const EDGE_PX = 4;
const ITEM =
  "flex h-8 items-center rounded-sm px-2 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2 disabled:opacity-45";
const START_NAMES: Record<OrderStart["kind"], string> = {
  limit: "limit",
  stop: "stop",
  takeProfit: "take profit",
};
const NO_TICKERS: readonly Ticker[] = [];

/** A menu of the orders that can be started at a price. Loaded lazily, hence the default export. */
export default function OrderMenu({ market, anchor, onStart, onClose }: OrderMenuProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [price, setPrice] = useState(anchor.price);
  const { data: tickers = NO_TICKERS } = useFrameQuery(functions.markets.tickers, {});
  const requests = useRequests();
  const isSignedIn = useIsSignedIn();
  const isReadOnly = useIsReadOnly();
  const alert = useMutation({
    mutationFn: (alertPrice: Decimal) =>
      requests.send(functions.alerts.create, {
        market: market.symbol,
        condition: { kind: "price", price: alertPrice },
      }),
    onSuccess: (_, alertPrice) => {
      toastSuccess(
        "Alert set",
        `${market.symbol} at ${formatPrice(alertPrice, market.priceDecimals)}`,
      );
      onClose();
    },
  });
  const last = tickers.find(({ market: symbol }) => symbol === market.symbol)?.last ?? null;

  const close = useEffectEvent(onClose);
  // A layout effect, whose cleanup still finds the focus in the menu. The chart around it is rendered
  // again with every trade, which must not take the focus back to the first button.
  useLayoutEffect(() => {
    const element = panel.current;
    const area = element?.offsetParent;
    if (!element || !area) return undefined;
    const left = Math.min(anchor.x, area.clientWidth - element.offsetWidth - EDGE_PX);
    const top = Math.min(anchor.y, area.clientHeight - element.offsetHeight - EDGE_PX);
    element.style.left = `${Math.max(EDGE_PX, left)}px`;
    element.style.top = `${Math.max(EDGE_PX, top)}px`;
    const opener = document.activeElement;
    element.querySelector("button")?.focus();
    const closeOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && element.contains(target))) close();
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      if (element.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, [anchor]);

  const isPrice = isDecimal(price) && /[1-9]/.test(price);
  const isAbove = isPrice && last !== null && compareDecimals(price, last) > 0;
  const starts: readonly Omit<OrderStart, "price">[] = [
    { kind: "limit", side: "buy" },
    { kind: "limit", side: "sell" },
    // A stop is triggered by a price that gets worse for its side, a take profit by a better one.
    { kind: "stop", side: isAbove ? "buy" : "sell" },
    { kind: "takeProfit", side: isAbove ? "sell" : "buy" },
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from its buttons
    <div
      ref={panel}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a dialog element opens by script only
      role="dialog"
      aria-label={`Order in ${market.symbol} at a price`}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Keeps the chart's keyboard shortcuts from acting on keys of the menu.
        event.stopPropagation();
        if (event.key === "Escape") onClose();
        else moveFocus(event);
      }}
      className="absolute z-20 grid w-44 gap-1 rounded-md border border-line-strong bg-raised p-1 shadow-2xl"
    >
      <NumberInput
        aria-label="Price"
        value={price}
        onChange={setPrice}
        trailing={market.quote}
        className="h-8 text-xs!"
      />
      {starts.map(({ kind, side }) => (
        <button
          key={`${kind} ${side}`}
          type="button"
          disabled={!isPrice}
          onClick={() => {
            onStart({ kind, side, price });
            onClose();
          }}
          className={classNames(ITEM, side === "buy" ? "text-buy" : "text-sell")}
        >
          {side === "buy" ? "Buy" : "Sell"} {START_NAMES[kind]} here
        </button>
      ))}
      {isSignedIn && !isReadOnly ? (
        <button
          type="button"
          disabled={!isPrice || alert.isPending}
          onClick={() => alert.mutate(price)}
          className={classNames(ITEM, "text-muted hover:text-text")}
        >
          Alert here
        </button>
      ) : null}
    </div>
  );
}

/** Moves the focus between the menu's buttons by arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  event.preventDefault();
  buttons.at((at + step) % buttons.length)?.focus();
}
