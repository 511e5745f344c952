/** The list of the ticket's options, in the order in which their checkboxes, fields and errors are shown. */
import { goodTillDate } from "./good-till-date.ts";
import { iceberg } from "./iceberg.ts";
import { postOnly } from "./post-only.ts";
import type { EntriesOf, OptionField, TicketOption } from "./ticket-option.ts";

/** Their checkboxes and texts in a new ticket: the compiler asks here for those of a new option. */
export const UNCHECKED = { postOnly: false, isIceberg: false };
export const NO_OPTION_TEXTS = { display: "", end: "" };

export type OptionCheckbox = keyof typeof UNCHECKED;
type OptionText = keyof typeof NO_OPTION_TEXTS;
type Entries = EntriesOf<OptionCheckbox, OptionText>;

export const TICKET_OPTIONS: readonly TicketOption<OptionCheckbox, OptionText>[] = [
  postOnly,
  iceberg,
  goodTillDate,
];

/** The options that an order with these entries has. */
export function optionsOf(entries: Entries): typeof TICKET_OPTIONS {
  return TICKET_OPTIONS.filter(({ applies }) => applies(entries));
}

/** The text fields of the options that an order with these entries has. */
export function fieldsOf(entries: Entries): readonly OptionField<OptionText, Entries>[] {
  return optionsOf(entries).flatMap(({ field }) => field ?? []);
}
