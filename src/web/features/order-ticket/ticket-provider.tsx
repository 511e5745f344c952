import {
  createContext,
  type Dispatch,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useReducer,
  useRef,
} from "react";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { forgetEntries, keepEntries, readEntries } from "./ticket-draft.ts";
import {
  INITIAL_TICKET,
  reduceTicket,
  type TicketAction,
  type TicketState,
} from "./ticket-state.ts";

const StateContext = createContext<TicketState>(INITIAL_TICKET);
const DispatchContext = createContext<Dispatch<TicketAction>>(() => undefined);

interface TicketProviderProps {
  readonly market: string;
  readonly children: ReactNode;
}

/**
 * Holds the ticket's state above the ticket component, so that the book can set a price and a phone
 * can close and reopen the ticket without losing entries.
 */
export function TicketProvider({ market, children }: TicketProviderProps) {
  const [state, dispatch] = useReducer(reduceTicket, INITIAL_TICKET);
  const lastMarket = useRef(market);
  useEffect(() => {
    if (lastMarket.current === market) return;
    lastMarket.current = market;
    dispatch({ type: "marketChanged" });
  }, [market]);
  useEntriesThroughSignIn(market, state, dispatch);
  return (
    <DispatchContext value={dispatch}>
      <StateContext value={state}>{children}</StateContext>
    </DispatchContext>
  );
}

/** Stores a visitor's entries before they sign in, and restores them once. */
function useEntriesThroughSignIn(
  market: string,
  state: TicketState,
  dispatch: Dispatch<TicketAction>,
): void {
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    const entries = readEntries(market);
    if (entries === null) return;
    dispatch({ type: "restored", entries });
    if (isSignedIn) forgetEntries();
  }, [market, isSignedIn, dispatch]);
  useEffect(() => {
    if (!isSignedIn && state !== INITIAL_TICKET) keepEntries(market, state);
  }, [market, isSignedIn, state]);
}

/** The dispatch function of the ticket's state; using it never causes a rerender. */
export function useTicketDispatch(): Dispatch<TicketAction> {
  return useContext(DispatchContext);
}

export function useTicket(): readonly [TicketState, Dispatch<TicketAction>] {
  const state = useContext(StateContext);
  const dispatch = useContext(DispatchContext);
  return useMemo(() => [state, dispatch] as const, [state, dispatch]);
}
