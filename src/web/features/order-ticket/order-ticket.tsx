import {
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Market } from "#contract/types.ts";
import { ShortcutHelp } from "../../keyboard/shortcut-help.tsx";
import { useConnection, useCutOff } from "../../session/connection.ts";
import { orderPreferences } from "../../session/order-preferences.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { Button } from "../../ui/button.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { deviationOf, isFarOff } from "./deviation.ts";
import { blockedReason, findErrors, shownErrors } from "./errors.ts";
import { KindMenu } from "./kind-menu.tsx";
import { OrderConditions } from "./order-conditions.tsx";
import { PracticeFunds } from "./practice-funds.tsx";
import { PriceField } from "./price-field.tsx";
import { useSideKeys } from "./side-keys.ts";
import { SideSwitch } from "./side-switch.tsx";
import { SignInToTrade } from "./sign-in-to-trade.tsx";
import { SizeFields } from "./size-fields.tsx";
import { confirmedKind, requestOf } from "./order-request.ts";
import { summarize } from "./summary.ts";
import { SummaryList } from "./summary-list.tsx";
import { hasExits, isImmediateMarketOrder } from "./ticket-entries.ts";
import { fieldsOf } from "./ticket-options/ticket-options.ts";
import type { TicketState } from "./ticket-state.ts";
import { useTicket } from "./ticket-provider.tsx";
import { usePlaceOrder } from "./use-place-order.ts";
import { useTicketContext } from "./use-ticket-context.ts";

/** Placeholder of fields that few orders need; their code is loaded on demand. */
const PLACEHOLDER = <Skeleton className="h-15" />;
const TriggerFields = lazyComponent(() => import("./trigger-fields.tsx"), PLACEHOLDER);
const ExtraFields = lazyComponent(() => import("./extra-fields.tsx"), PLACEHOLDER);
const ConfirmOrderDialog = lazyComponent(() => import("./confirm-order-dialog.tsx"));

interface OrderTicketProps {
  readonly market: Market;
  /** Called when an order was accepted; on a phone this closes the ticket's sheet. */
  readonly onPlaced?: () => void;
}

/** The order ticket: enters, validates and sends one order. */
export function OrderTicket({ market, onPlaced }: OrderTicketProps) {
  const [state, dispatch] = useTicket();
  const context = useTicketContext(market, isImmediateMarketOrder(state));
  const summary = useMemo(() => summarize(state, context), [state, context]);
  const errors = useMemo(() => findErrors(state, context, summary), [state, context, summary]);
  const shown = shownErrors(state, errors);
  const cutOff = useCutOff();
  const blocked = cutOff ?? blockedReason(state, context);
  // Messages are suppressed while the page loads: their disappearance would shift the fields below.
  const isLoading = useConnection().kind === "connecting" || context.available === null;
  const isSignedIn = useIsSignedIn();
  const form = useRef<HTMLFormElement>(null);
  const blockedId = useId();
  const [sent, setSent] = useState<TicketState | null>(null);
  const isShowingSent = useRef(false);
  useEffect(() => {
    isShowingSent.current = isSameOrder(state, sent);
    return () => {
      isShowingSent.current = false;
    };
  }, [state, sent]);
  const placing = usePlaceOrder(
    market,
    () => {
      dispatch({ type: "cleared" });
      onPlaced?.();
    },
    () => isShowingSent.current,
  );
  useSideKeys(form, dispatch);
  const deviation = deviationOf(state, context, summary);
  const [isAsking, setIsAsking] = useState(false);
  const send = () => {
    setIsAsking(false);
    setSent(state);
    placing.send(requestOf(state, summary, market));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSignedIn) {
      form.current?.querySelector<HTMLElement>("[data-entrance]")?.click();
      return;
    }
    if (blocked !== null || placing.isSending) return;
    const first = errors[0];
    if (first === undefined) {
      const { confirmations, deviation: asked } = orderPreferences();
      if (isFarOff(deviation, asked) || confirmations[confirmedKind(state)]) setIsAsking(true);
      else send();
      return;
    }
    dispatch({ type: "tried" });
    form.current?.querySelector<HTMLElement>(`[name="${first.field}"]`)?.focus();
  };
  const clear = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || (state.sizing.kind === "quantity" && state.sizing.text === ""))
      return;
    // In a sheet the first Escape clears the ticket, the second closes the sheet.
    event.stopPropagation();
    dispatch({ type: "cleared" });
  };

  const fields = fieldsOf(state);
  const errorOf = (field: string) => shown.find((error) => error.field === field)?.message;
  return (
    <section aria-label="Order ticket">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape comes from its fields */}
      <form
        ref={form}
        onSubmit={submit}
        onKeyDown={clear}
        method="post"
        noValidate
        className="grid gap-3 p-3"
      >
        <SideSwitch side={state.side} onChange={(side) => dispatch({ type: "sideChosen", side })} />
        <div className="flex items-center justify-between">
          <KindMenu state={state} status={market.status} dispatch={dispatch} />
          <ShortcutHelp />
        </div>
        {isSignedIn ? <PracticeFunds market={market} available={context.available} /> : null}
        {state.condition === "none" ? null : (
          <PanelBoundary>
            <TriggerFields
              market={market}
              last={context.last}
              state={state}
              dispatch={dispatch}
              errorOf={errorOf}
            />
          </PanelBoundary>
        )}
        {state.type === "limit" ? (
          <PriceField
            market={market}
            book={context.book}
            state={state}
            deviation={deviation}
            dispatch={dispatch}
            error={errorOf("price")}
          />
        ) : isImmediateMarketOrder(state) ? (
          <p className="rounded-md border border-dashed border-line-strong px-3 py-2 text-xs text-muted">
            Trades at once at the best prices in the book
            {state.slippageBps === null
              ? "."
              : ", up to your slippage cap; the rest is cancelled (a limit order, IOC)."}
          </p>
        ) : null}
        <SizeFields
          context={context}
          state={state}
          summary={summary}
          dispatch={dispatch}
          quantityError={errorOf("quantity")}
          totalError={errorOf("total")}
        />
        <OrderConditions state={state} dispatch={dispatch} />
        {hasExits(state) || fields.length > 0 ? (
          <PanelBoundary>
            <ExtraFields
              fields={fields}
              market={market}
              state={state}
              dispatch={dispatch}
              errorOf={errorOf}
            />
          </PanelBoundary>
        ) : null}
        <SummaryList context={context} state={state} summary={summary} />
        <FormAlert>
          {placing.refusal === null || !isSameOrder(state, sent) ? null : placing.refusal}
        </FormAlert>
        <FormAlert tone="warn">{placing.doubt}</FormAlert>
        {isSignedIn ? (
          <div className="grid gap-1.5">
            <Button
              type="submit"
              size="lg"
              variant={state.side}
              busy={placing.isSending}
              disabled={blocked !== null}
              aria-describedby={blocked === null ? undefined : blockedId}
              className="w-full font-semibold"
            >
              {state.side === "buy" ? "Buy" : "Sell"} {market.base}
            </Button>
            {blocked === null ? null : (
              <p
                id={blockedId}
                className={isLoading ? "sr-only" : "text-center text-xs text-muted"}
              >
                {blocked}
              </p>
            )}
          </div>
        ) : (
          <SignInToTrade />
        )}
      </form>
      {isAsking ? (
        <PanelBoundary>
          <ConfirmOrderDialog
            side={state.side}
            kind={confirmedKind(state)}
            request={requestOf(state, summary, market)}
            market={market}
            deviation={isFarOff(deviation, orderPreferences().deviation) ? deviation : null}
            onConfirm={send}
            onCancel={() => setIsAsking(false)}
          />
        </PanelBoundary>
      ) : null}
    </section>
  );
}

/** Whether the entries are still those of the sent order: a refusal is not shown for later ones. */
function isSameOrder(state: TicketState, sent: TicketState | null): boolean {
  return (
    sent !== null &&
    sent.side === state.side &&
    sent.type === state.type &&
    sent.condition === state.condition &&
    sent.priceText === state.priceText &&
    sent.sizing === state.sizing &&
    sent.texts === state.texts
  );
}
