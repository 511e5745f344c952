import { ListFilter } from "lucide-react";
import { ORDER_KINDS, type OrderKind, type Side } from "#contract/enumerations.ts";
import { KIND_NAMES } from "#contract/order-words.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { Popover } from "../../ui/popover.tsx";
import type { SelectOption } from "../../ui/select.tsx";
import { filterCount, NO_FILTER, type OrderFilter } from "./order-filter.ts";

const ALL = "";
const SIDES: readonly SelectOption<Side | typeof ALL>[] = [
  { value: ALL, label: "Both sides" },
  { value: "buy", label: "Buy" },
  { value: "sell", label: "Sell" },
];
const KINDS: readonly SelectOption<OrderKind | typeof ALL>[] = [
  { value: ALL, label: "All kinds" },
  ...ORDER_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] })),
];
const SELECT = "h-8 border-control/70! bg-page!";

/** What the selects show: {@link ALL} for no filter. */
interface Chosen {
  readonly market: string;
  readonly side: Side | typeof ALL;
  readonly kind: OrderKind | typeof ALL;
}

interface OrderFiltersProps {
  readonly filter: OrderFilter;
  /** Symbols of the markets to choose from. */
  readonly markets: readonly string[];
  /** Fills have no kind. */
  readonly hasKinds: boolean;
  readonly onChange: (filter: OrderFilter) => void;
}

/** Filters the tables by market, side and kind. */
export function OrderFilters({ filter, markets, hasKinds, onChange }: OrderFiltersProps) {
  const { market = ALL, side = ALL, kind = ALL } = filter;
  const count = filterCount(hasKinds ? filter : { ...filter, kind: undefined });
  const set = (change: Partial<Chosen>) => {
    const next: Chosen = { market, side, kind, ...change };
    onChange({
      ...(next.market !== ALL && { market: next.market }),
      ...(next.side !== ALL && { side: next.side }),
      ...(next.kind !== ALL && { kind: next.kind }),
    });
  };
  return (
    <Popover
      label="Filter"
      triggerLabel={count === 0 ? "Filter" : `Filter: ${count} set`}
      trigger={
        <>
          <ListFilter className="size-4" aria-hidden />
          {count === 0 ? null : <span className="figures text-2xs text-accent">{count}</span>}
        </>
      }
      triggerClassName="inline-flex h-7 min-w-7 items-center justify-center gap-1 rounded-md text-muted hover:bg-hover hover:text-text"
      align="end"
      className="w-56 p-3"
    >
      {(close) => (
        <div className="grid gap-3 *:*:w-full">
          <Field label="Market">
            {(control) => (
              <PlainSelect
                {...control}
                value={market}
                options={[
                  { value: ALL, label: "All markets" },
                  ...markets.map((symbol) => ({ value: symbol, label: symbol })),
                ]}
                onChange={(next) => set({ market: next })}
                className={SELECT}
              />
            )}
          </Field>
          <Field label="Side">
            {(control) => (
              <PlainSelect
                {...control}
                value={side}
                options={SIDES}
                onChange={(next) => set({ side: next })}
                className={SELECT}
              />
            )}
          </Field>
          {hasKinds ? (
            <Field label="Kind">
              {(control) => (
                <PlainSelect
                  {...control}
                  value={kind}
                  options={KINDS}
                  onChange={(next) => set({ kind: next })}
                  className={SELECT}
                />
              )}
            </Field>
          ) : null}
          <Button
            size="sm"
            onClick={() => {
              onChange(NO_FILTER);
              close();
            }}
          >
            Show everything
          </Button>
        </div>
      )}
    </Popover>
  );
}
