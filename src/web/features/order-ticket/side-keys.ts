import type { Dispatch, RefObject } from "react";
import { useShortcut } from "../../keyboard/use-shortcut.ts";
import type { TicketAction } from "./ticket-state.ts";

/** Lets the keys B and S choose the side, in the ticket's number fields too. */
export function useSideKeys(
  form: RefObject<HTMLElement | null>,
  dispatch: Dispatch<TicketAction>,
): void {
  useShortcut("buy", () => dispatch({ type: "sideChosen", side: "buy" }), form);
  useShortcut("sell", () => dispatch({ type: "sideChosen", side: "sell" }), form);
}
