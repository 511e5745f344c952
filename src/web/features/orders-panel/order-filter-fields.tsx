import { ORDER_KINDS, type OrderKind, type Side } from "#contract/enumerations.ts";
import { KIND_NAMES } from "#contract/order-words.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";
import type { SelectOption } from "../../ui/select.tsx";
import { fillFilter, isFiltered, NO_FILTER, type OrderFilterChoice } from "./order-filter.ts";

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

/** The value of the selects for no filter: {@link ALL}. */
interface Chosen {
  readonly market: string;
  readonly side: Side | typeof ALL;
  readonly kind: OrderKind | typeof ALL;
}

interface OrderFilterFieldsProps extends OrderFilterChoice {
  readonly close: () => void;
}

/** Loaded lazily, hence the default export. */
export default function OrderFilterFields(props: OrderFilterFieldsProps) {
  const { filter, markets, hasKinds, onChange, close } = props;
  const { market = ALL, side = ALL, kind = ALL } = filter;
  const set = (change: Partial<Chosen>) => {
    const next: Chosen = { market, side, kind, ...change };
    onChange({
      ...(next.market !== ALL && { market: next.market }),
      ...(next.side !== ALL && { side: next.side }),
      ...(next.kind !== ALL && { kind: next.kind }),
    });
  };
  return (
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
        disabled={!isFiltered(hasKinds ? filter : fillFilter(filter))}
        onClick={() => {
          onChange(NO_FILTER);
          close();
        }}
      >
        Show everything
      </Button>
    </div>
  );
}
