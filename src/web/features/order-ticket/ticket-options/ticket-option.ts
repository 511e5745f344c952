/**
 * An option of limit orders in the ticket: what is entered for it, and what it adds to the order. Each has
 * a file of its own; ticket-options.ts lists them.
 */
import type { PlaceListArgs } from "#contract/functions.ts";
import type { TicketContext, TicketSummary } from "../ticket-context.ts";
import type { PlainEntries } from "../ticket-entries.ts";

export type Terms = PlaceListArgs["orders"][number];

/** A text field that the ticket shows once the order has the option. */
export interface OptionField<Field extends string, Entries> {
  readonly name: Field;
  readonly label: string;
  /** A quantity of the market, or a local time. */
  readonly kind: "quantity" | "time";
  /** What is wrong with its text; null if nothing is. */
  readonly problem: (
    entries: Entries,
    context: TicketContext,
    summary: TicketSummary,
  ) => string | null;
}

/** The entries that options with these checkboxes and text fields read. */
export type EntriesOf<Checkbox extends string, Field extends string> = PlainEntries &
  Readonly<Record<Checkbox, boolean>> & { readonly texts: Readonly<Record<Field, string>> };

/** An option with its checkbox and its text field, if it has them. */
export interface TicketOption<
  Checkbox extends string,
  Field extends string = never,
  Entries = EntriesOf<Checkbox, Field>,
> {
  /** Only orders that may rest have options with a checkbox. */
  readonly checkbox?: { readonly name: Checkbox; readonly label: string };
  /** Whether the order has the option: only then do the following count. */
  readonly applies: (entries: Entries) => boolean;
  readonly field?: OptionField<Field, Entries>;
  /** What it adds to the order. */
  readonly terms: (entries: Entries) => Partial<Terms>;
}
